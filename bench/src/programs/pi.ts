import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { linesOf } from "../lines-of.ts";
import { within } from "../within.ts";
import { installPackage } from "./install-package.ts";
import { readyTimeoutMs, turnTimeoutMs, type Program, type ProgramKind, type ProgramOptions } from "./program.ts";

export const packageName = "@earendil-works/pi-coding-agent";
/** The newest whose own packages are all in the registry. */
export const version = "0.87.1";
const messageSchema = z.object({ role: z.string(), stopReason: z.string().optional() });
const eventSchema = z.looseObject({ type: z.string(), success: z.boolean().optional() });
const endSchema = z.object({ messages: z.array(messageSchema) });

/** `pi --mode rpc`: commands as JSON lines on its input, events on its output. */
export const pi: ProgramKind = {
  name: `pi ${version}`,
  async prepare() {
    const folder = await installPackage(packageName, version);
    const script = join(folder, "node_modules", packageName, "dist/bundle/cli.js");
    // It asks for Node 22.19; Bun runs it too, and is what the others run in.
    return (options) => startPi([process.execPath, script], options);
  },
};

async function startPi(command: readonly string[], { folder, modelUrl }: ProgramOptions): Promise<Program> {
  const [cwd, agent] = [join(folder, "work"), join(folder, "agent")];
  await mkdir(cwd, { recursive: true });
  const bench = { baseUrl: modelUrl, api: "openai-completions", apiKey: "none", models: [{ id: "m" }] };
  await Bun.write(join(agent, "models.json"), JSON.stringify({ providers: { bench } }));
  const startMs = performance.now();
  const child = Bun.spawn([...command, "--mode", "rpc", "--offline", "--provider", "bench", "--model", "m"], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder, PI_CODING_AGENT_DIR: agent, PI_TELEMETRY: "0" },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
  });
  const lines = linesOf(child.stdout);
  const send = (request: object): void => {
    void child.stdin.write(`${JSON.stringify(request)}\n`);
    void child.stdin.flush();
  };
  /** Events up to the first of that type. Only what is needed of each line is parsed: they carry the whole message each. */
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
