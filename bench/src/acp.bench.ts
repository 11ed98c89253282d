import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { join } from "node:path";
import * as z from "zod";
import { buildCommand } from "./build-command.ts";
import { spread } from "./format.ts";
import { linesOf } from "./lines-of.ts";
import { percentile } from "./measure.ts";
import type { Row } from "./table.ts";
import { within } from "./within.ts";

const starts = 21;
const warmUp = 20;
const rounds = 100;
const messageSchema = z.looseObject({
  id: z.unknown().optional(),
  method: z.string().optional(),
  params: z.looseObject({ update: z.looseObject({ sessionUpdate: z.string() }).optional() }).optional(),
  result: z.looseObject({ sessionId: z.string().optional() }).optional(),
  error: z.unknown().optional(),
});
type Message = z.infer<typeof messageSchema>;

class Editor implements AsyncDisposable {
  readonly #child: Bun.Subprocess<"pipe", "pipe", "ignore">;
  readonly #lines: AsyncGenerator<string>;
  #asked = 0;

  constructor(command: readonly string[], folder: string) {
    this.#child = Bun.spawn([...command, "acp", "--config", configOf(folder), "--data", join(folder, "data")], {
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "", HOME: folder },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "ignore",
    });
    this.#lines = linesOf(this.#child.stdout);
  }

  /**
   * Sends a request and passes on messages before its response.
   * @throws on an error response, or when the agent exits.
   */
  async ask(method: string, params: object, heard: (message: Message) => void = () => {}): Promise<Message> {
    const id = (this.#asked += 1);
    void this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    void this.#child.stdin.flush();
    for (;;) {
      const { done, value } = await within(`an answer to ${method}`, 30_000, () => this.#lines.next());
      if (done === true) throw new Error("The agent ended");
      const message = messageSchema.parse(JSON.parse(value));
      if (message.error !== undefined) throw new Error(`The agent refused: ${value}`);
      if (message.id === id) return message;
      heard(message);
    }
  }

  initialize(): Promise<Message> {
    return this.ask("initialize", { protocolVersion: 1, clientCapabilities: {} });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill();
    await this.#child.exited;
  }
}

function configOf(folder: string): string {
  return join(folder, "incipit.toml");
}

async function timeInitialize(command: readonly string[], folder: string): Promise<number> {
  const startMs = performance.now();
  await using editor = new Editor(command, folder);
  await editor.initialize();
  return performance.now() - startMs;
}

/** Measures `incipit acp`: time to first response, and delay of the first text after the model's. */
export async function acp(): Promise<readonly Row[]> {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer();
  const provider = `[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n`;
  await Bun.write(configOf(folder.path), `model = "local/m"\n${provider}`);
  const command = await buildCommand();
  await timeInitialize(command, folder.path);
  const initializeMs: number[] = [];
  for (let round = 0; round < starts; round += 1) initializeMs.push(await timeInitialize(command, folder.path));

  await using editor = new Editor(command, folder.path);
  await editor.initialize();
  const { result } = await editor.ask("session/new", { cwd: folder.path, mcpServers: [] });
  const behindMs: number[] = [];
  for (let round = -warmUp; round < rounds; round += 1) {
    let firstMs: number | undefined;
    const prompt = [{ type: "text", text: "Hello" }];
    await editor.ask("session/prompt", { sessionId: result?.sessionId, prompt }, ({ params }) => {
      if (params?.update?.sessionUpdate === "agent_message_chunk") firstMs ??= performance.now();
    });
    const { firstByteAtMs } = model.requests.at(-1) ?? {};
    if (firstMs === undefined || firstByteAtMs === undefined) throw new Error("A prompt was answered without text");
    if (round >= 0) behindMs.push(firstMs - firstByteAtMs);
  }
  const [startMs, textMs] = [percentile(initializeMs, 0.5), percentile(behindMs, 0.5)];
  return [
    {
      subject: "start of `incipit acp` to the answer to `initialize`, as `bun run build` makes it",
      measured: spread(initializeMs),
      target: "p50 100 ms",
      isMet: startMs <= 100,
    },
    {
      subject: "first text of a prompt at the editor, behind the model's first byte; the host is inside",
      measured: spread(behindMs),
      target: "p50 2 ms",
      isMet: textMs <= 2,
    },
  ];
}
