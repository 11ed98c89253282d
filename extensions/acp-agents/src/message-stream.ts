import type { AnyMessage, Stream } from "@agentclientprotocol/sdk/unstable";
import type { UnrecordedLines } from "./unrecorded-lines.ts";

export interface MessageStreamOptions {
  /** Writes one line. */
  readonly send: (line: string) => Promise<void>;
  readonly unrecorded: UnrecordedLines;
  /** A prompt is about to leave as this line; what it rejects with ends the prompt, and nothing is sent. */
  readonly beforePrompt: (line: string) => Promise<void>;
}

/** Stands for the error of a prompt that was not sent: the agent has never seen it. */
const notSentCode = -32_099;

/** The messages of one connection, between the pipes of a program and the protocol's library. */
export class MessageStream {
  readonly stream: Stream;
  readonly #options: MessageStreamOptions;
  /** Ids of requests that wait for an answer: another answer is none. */
  readonly #asked = new Set<string | number>();
  #controller: ReadableStreamDefaultController<AnyMessage> | undefined;

  constructor(options: MessageStreamOptions) {
    this.#options = options;
    this.stream = {
      readable: new ReadableStream<AnyMessage>({ start: (controller) => void (this.#controller = controller) }),
      writable: new WritableStream<AnyMessage>({ write: (message) => this.#write(message) }),
    };
  }

  /** @throws {TypeError} for what is no message, and for an answer to nothing. */
  receive(message: unknown): void {
    if (!isMessage(message)) throw new TypeError("It is not a message of JSON-RPC 2.0");
    if (!("method" in message)) {
      const { id } = message;
      if (id === null || !this.#asked.delete(id)) throw new TypeError("It answers nothing that was asked");
    }
    this.#controller?.enqueue(message);
  }

  end(): void {
    this.#controller?.close();
    this.#controller = undefined;
  }

  async #write(message: AnyMessage): Promise<void> {
    const line = JSON.stringify(message);
    if ("method" in message && "id" in message && message.id !== null) {
      this.#asked.add(message.id);
      if (message.method === "session/prompt") {
        try {
          await this.#options.beforePrompt(line);
        } catch {
          // Whoever records it knows why; the library is told that there is no answer to come.
          this.receive({
            jsonrpc: "2.0",
            id: message.id,
            error: { code: notSentCode, message: "It was not sent" },
          });
          return;
        }
        this.#options.unrecorded.clear();
        await this.#options.send(line);
        return;
      }
    }
    this.#options.unrecorded.add(line);
    await this.#options.send(line);
  }
}

function isMessage(value: unknown): value is AnyMessage {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  if (!("jsonrpc" in value) || value.jsonrpc !== "2.0") return false;
  const id = "id" in value ? value.id : undefined;
  const hasId = typeof id === "string" || (typeof id === "number" && Number.isFinite(id));
  if ("method" in value) return typeof value.method === "string" && (id === undefined || hasId);
  return hasId && "result" in value !== "error" in value;
}
