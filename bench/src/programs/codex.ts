import { join } from "node:path";
import { mkdir } from "node:fs/promises";
import * as z from "zod";
import { linesOf } from "../lines-of.ts";
import { within } from "../within.ts";
import { installPackage } from "./install-package.ts";
import { readyTimeoutMs, turnTimeoutMs, type Program, type ProgramKind, type ProgramOptions } from "./program.ts";

const version = "0.166.0";
const messageSchema = z.looseObject({
  id: z.number().optional(),
  method: z.string().optional(),
  result: z.unknown().optional(),
  params: z.unknown().optional(),
  error: z.unknown().optional(),
});
const threadSchema = z.object({ thread: z.object({ id: z.string() }) });
const endSchema = z.object({ turn: z.object({ status: z.literal("completed") }) });

/** Runs `codex app-server`, the protocol for editors: https://developers.openai.com/codex/app-server */
export const codex: ProgramKind = {
  name: `codex ${version}`,
  async prepare() {
    const folder = await installPackage("@openai/codex", version);
    return (options) => startCodex(join(folder, "node_modules/@openai/codex/bin/codex.js"), options);
  },
};

function configOf(cwd: string, modelUrl: string): string {
  return `model = "m"
model_provider = "local"
check_for_update_on_startup = false
[model_providers.local]
name = "local"
base_url = "${modelUrl}"
wire_api = "responses"
env_key = "LOCAL_KEY"
[analytics]
enabled = false
[projects."${cwd}"]
trust_level = "trusted"
`;
}

async function startCodex(script: string, { folder, modelUrl }: ProgramOptions): Promise<Program> {
  const cwd = join(folder, "work");
  await mkdir(cwd, { recursive: true });
  await Bun.write(join(folder, ".codex/config.toml"), configOf(cwd, modelUrl));
  const startMs = performance.now();
  const child = Bun.spawn(["node", script, "app-server"], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder, LOCAL_KEY: "none" },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
  });
  const lines = linesOf(child.stdout);
  let sent = 0;
  const send = (message: object): void => {
    void child.stdin.write(`${JSON.stringify(message)}\n`);
    void child.stdin.flush();
  };
  const waitFor = async (isIt: (message: z.infer<typeof messageSchema>) => boolean): Promise<unknown> => {
    for (;;) {
      const { done, value: line } = await lines.next();
      if (done === true) throw new Error("codex ended");
      const message = messageSchema.parse(JSON.parse(line));
      if (message.error !== undefined) throw new Error(`codex refused: ${line.slice(0, 200)}`);
      if (isIt(message)) return message.result ?? message.params;
    }
  };
  const call = async (method: string, params: object): Promise<unknown> => {
    sent += 1;
    const id = sent;
    send({ id, method, params });
    return within(`codex to answer ${method}`, readyTimeoutMs, () => waitFor((message) => message.id === id));
  };
  const end = async (): Promise<void> => {
    child.kill();
    await child.exited;
  };
  try {
    await call("initialize", { clientInfo: { name: "bench", title: "bench", version: "1" } });
    send({ method: "initialized" });
    const { thread } = threadSchema.parse(await call("thread/start", { cwd }));
    return {
      pid: child.pid,
      readyMs: performance.now() - startMs,
      async takeTurn(input) {
        await call("turn/start", { threadId: thread.id, input: [{ type: "text", text: input }] });
        const ended = (): Promise<unknown> => waitFor(({ method }) => method === "turn/completed");
        endSchema.parse(await within("a turn of codex", turnTimeoutMs, ended));
      },
      [Symbol.asyncDispose]: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}
