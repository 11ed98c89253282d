import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { linesOf } from "../lines-of.ts";
import { within } from "../within.ts";
import { installPackage } from "./install-package.ts";
import { installNode } from "./node.ts";
import { readyTimeoutMs, turnTimeoutMs, type Program, type ProgramKind, type ProgramOptions } from "./program.ts";

export const packageName = "@earendil-works/pi-coding-agent";
export const version = "1.6.0";
const messageSchema = z.object({ role: z.string(), stopReason: z.string().optional() });
const eventSchema = z.looseObject({ type: z.string(), success: z.boolean().optional() });
const endSchema = z.object({ messages: z.array(messageSchema) });

/** Runs pi, with commands and events as JSON Lines. */
export const pi: ProgramKind = {
  name: `pi ${version}`,
  async prepare() {
    const command = await install();
    return (options) => startPi(command, options);
  },
};

/**
 * `--continue` resumes the newest conversation of the folder. `hasLaterSystemMessages`: prompt changes are system
 * messages in mid-conversation, as pi's catalogue configures for models that accept them.
 */
export async function continuePi(
  options: ProgramOptions,
  { hasLaterSystemMessages }: { readonly hasLaterSystemMessages: boolean },
): Promise<Program> {
  const compat = { supportsMidConvoSystemMessages: hasLaterSystemMessages };
  return startPi([...(await install()), "--continue"], options, compat);
}

/** Rejects with the reason when unavailable. */
export async function piTerminal(
  options: ProgramOptions,
): Promise<Place & { readonly command: readonly string[] }> {
  const place = await placeOf(options);
  return { ...place, command: [...(await install()), ...modelFlags] };
}

const modelFlags = ["--offline", "--provider", "bench", "--model", "m"] as const;

interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

async function install(): Promise<readonly string[]> {
  const folder = await installPackage(packageName, version);
  // It requires Node 22.19; `npm install` starts it with Node.
  return [await installNode(), join(folder, "node_modules", packageName, "dist/bundle/cli.js")];
}

async function placeOf({ folder, modelUrl }: ProgramOptions, compat: object = {}): Promise<Place> {
  const [cwd, agent] = [join(folder, "work"), join(folder, "agent")];
  await mkdir(cwd, { recursive: true });
  const bench = { baseUrl: modelUrl, api: "openai-completions", apiKey: "none", models: [{ id: "m", compat }] };
  await Bun.write(join(agent, "models.json"), JSON.stringify({ providers: { bench } }));
  return { cwd, env: { HOME: folder, PI_CODING_AGENT_DIR: agent, PI_TELEMETRY: "0" } };
}

async function startPi(command: readonly string[], options: ProgramOptions, compat?: object): Promise<Program> {
  const { cwd, env } = await placeOf(options, compat);
  const startMs = performance.now();
  const child = Bun.spawn([...command, "--mode", "rpc", ...modelFlags], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
  });
  const lines = linesOf(child.stdout);
  const send = (request: object): void => {
    void child.stdin.write(`${JSON.stringify(request)}\n`);
    void child.stdin.flush();
  };
  /** Lines are parsed as needed, since each carries the whole message. */
  const waitFor = async (type: string): Promise<unknown> => {
    for (;;) {
      const { done, value: line } = await lines.next();
      if (done === true) throw new Error("pi ended");
      if (!line.startsWith(`{"type":"${type}"`)) continue;
      const event = eventSchema.parse(JSON.parse(line));
      if (event.success === false) throw new Error(`pi refused: ${line.slice(0, 200)}`);
      return event;
    }
  };
  const end = async (): Promise<void> => {
    child.kill();
    await child.exited;
  };
  try {
    send({ type: "get_state" });
    await within("pi to be ready", readyTimeoutMs, () => waitFor("response"));
    return {
      pid: child.pid,
      readyMs: performance.now() - startMs,
      async takeTurn(input) {
        send({ type: "prompt", message: input });
        const { messages } = endSchema.parse(
          await within("a turn of pi", turnTimeoutMs, () => waitFor("agent_end")),
        );
        if (messages.at(-1)?.stopReason !== "stop") throw new Error("A turn of pi ended without an answer");
      },
      [Symbol.asyncDispose]: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}
