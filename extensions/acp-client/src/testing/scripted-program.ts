import type { ProgramEnd, RunningProgram } from "@incipit/kernel";
import type { AcpAgentScript } from "@incipit/testkit";
import * as z from "zod";

const messageSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  result: z.looseObject({ outcome: z.looseObject({}).optional() }).optional(),
});
export type SentMessage = z.output<typeof messageSchema>;

/** Prints the script's lines for each request, and the lines of `answer` for a response. */
export class ScriptedProgram implements RunningProgram {
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: AsyncIterable<Uint8Array>;
  readonly sent: SentMessage[] = [];
  readonly #script: AcpAgentScript;
  #requestId: string | number = 0;
  readonly #out: WritableStreamDefaultWriter<Uint8Array>;
  readonly #err: WritableStreamDefaultWriter<Uint8Array>;
  readonly #ended = Promise.withResolvers<ProgramEnd>();

  constructor(script: AcpAgentScript) {
    const [out, err] = [
      new TransformStream<Uint8Array, Uint8Array>(),
      new TransformStream<Uint8Array, Uint8Array>(),
    ];
    this.#script = script;
    this.stdout = out.readable;
    this.stderr = err.readable;
    this.#out = out.writable.getWriter();
    this.#err = err.writable.getWriter();
  }

  get ended(): Promise<ProgramEnd> {
    return this.#ended.promise;
  }

  async write(bytes: Uint8Array): Promise<void> {
    const message = messageSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
    this.sent.push(message);
    if (message.id === undefined) return;
    const { id, method } = message;
    if (method !== undefined) this.#requestId = id;
    const lines = this.#script[method ?? "answer"] ?? [];
    for (const line of lines) void this.#print(line.replaceAll("$id", JSON.stringify(this.#requestId)));
  }

  async stop(): Promise<void> {
    await this.#end(0);
  }

  async #print(line: string): Promise<void> {
    const [, directive = "", rest = ""] = /^@(stderr|exit) (.*)$/.exec(line) ?? [];
    if (directive === "exit") return this.#end(Number(rest));
    const writer = directive === "stderr" ? this.#err : this.#out;
    const text = directive === "stderr" ? rest : line;
    await writer.write(new TextEncoder().encode(`${text}\n`)).catch(() => undefined);
  }

  async #end(exitCode: number): Promise<void> {
    const closed = [this.#out, this.#err].map((writer) => writer.close().catch(() => undefined));
    this.#ended.resolve({ exitCode, signal: null });
    await Promise.all(closed);
  }
}
