import * as z from "zod";
import { spawnAcp, type AcpProcessOptions } from "./acp-process.ts";

const messageSchema = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.unknown().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.looseObject({}).nullish(),
  error: z.looseObject({ code: z.int(), message: z.string() }).optional(),
});
export type RawMessage = z.infer<typeof messageSchema>;

const sessionSchema = z.looseObject({ sessionId: z.string() });
const chunkSchema = z.looseObject({
  update: z.looseObject({ content: z.looseObject({ text: z.string() }).optional() }),
});

export class RawEditor implements AsyncDisposable {
  readonly messages: RawMessage[] = [];
  readonly #child: ReturnType<typeof spawnAcp>;
  readonly #reading: Promise<void>;
  readonly #stderr: Promise<string>;
  readonly #waiting = new Set<() => void>();
  #nextId = 1_000;

  constructor(options: AcpProcessOptions) {
    this.#child = spawnAcp(options);
    this.#reading = this.#read();
    this.#stderr = new Response(this.#child.stderr).text();
  }

  get pid(): number {
    return this.#child.pid;
  }

  stderr(): Promise<string> {
    return this.#stderr;
  }

  async write(text: string): Promise<void> {
    await this.#child.stdin.write(text);
    await this.#child.stdin.flush();
  }

  send(message: object): Promise<void> {
    return this.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  async request(method: string, params: unknown): Promise<RawMessage> {
    const id = (this.#nextId += 1);
    await this.send({ id, method, params });
    return this.answerTo(id);
  }

  async answerTo(id: unknown): Promise<RawMessage> {
    await this.until(() => this.answersTo(id).length > 0);
    const [answer] = this.answersTo(id);
    if (answer === undefined) throw new Error(`There is no answer to ${JSON.stringify(id)}`);
    return answer;
  }

  answersTo(id: unknown): readonly RawMessage[] {
    const text = JSON.stringify(id);
    return this.messages.filter((message) => message.method === undefined && JSON.stringify(message.id) === text);
  }

  async newSession(cwd: string): Promise<string> {
    return sessionSchema.parse((await this.request("session/new", { cwd, mcpServers: [] })).result).sessionId;
  }

  async initialize(): Promise<void> {
    await this.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  }

  get said(): string {
    return this.messages
      .map(({ params }) => chunkSchema.safeParse(params).data?.update.content?.text ?? "")
      .join("");
  }

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  async leave(): Promise<number> {
    await this.#child.stdin.end();
    await this.#reading;
    return this.#child.exited;
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of this.#child.stdout) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.messages.push(messageSchema.parse(JSON.parse(line)));
      for (const resolve of this.#waiting) resolve();
      this.#waiting.clear();
    }
  }
}
