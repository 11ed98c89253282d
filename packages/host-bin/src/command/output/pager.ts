import type { Output } from "./output.ts";

class PagerEnded extends Error {
  override readonly name = "PagerEnded";
}

export interface PagerOptions {
  readonly isOff: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export async function paged(
  output: Output,
  options: PagerOptions,
  show: (output: Output) => Promise<number>,
): Promise<number> {
  const command = output.isScreen ? pagerOf(options) : undefined;
  if (command === undefined) return show(output);
  // git's defaults: output that fits on the screen is printed and stays there.
  const env = { ...options.env, LESS: options.env["LESS"] ?? "FRX" };
  const child = Bun.spawn([...command], { env, stdin: "pipe", stdout: "inherit", stderr: "inherit" });
  let hasEnded = false;
  const leave = (): void => {
    hasEnded = true;
  };
  const ended = child.exited.then(leave);
  // The pager may only cancel its search on Ctrl-C; the command ends with the pager.
  const ignore = (): void => {};
  process.on("SIGINT", ignore);
  // The pager may close its input before it exits.
  const write = (text: string): void => {
    if (hasEnded) throw new PagerEnded();
    void quietly(() => child.stdin.write(text), leave);
    void quietly(() => child.stdin.flush(), leave);
  };
  try {
    return await show(output.through(write));
  } catch (error) {
    if (error instanceof PagerEnded) return 0;
    throw error;
  } finally {
    await quietly(() => child.stdin.end(), leave);
    await ended;
    process.off("SIGINT", ignore);
  }
}

async function quietly(act: () => unknown, onFailure: () => void): Promise<void> {
  try {
    await act();
  } catch {
    onFailure();
  }
}

function pagerOf({ isOff, env }: PagerOptions): readonly string[] | undefined {
  if (isOff || env["TERM"] === "dumb") return undefined;
  const { PAGER: own } = env;
  if (own !== undefined) return own.trim() === "" || own.trim() === "cat" ? undefined : ["sh", "-c", own];
  const less = Bun.which("less", { PATH: env["PATH"] ?? "" });
  return less === null ? undefined : [less, "-FRX"];
}
