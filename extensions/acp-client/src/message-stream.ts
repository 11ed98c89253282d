import { OpenRequests, plainObject, type RpcCall } from "@incipit/program-kit";
import type { AnyMessage, Stream } from "@agentclientprotocol/sdk/unstable";
import type { UnrecordedLines } from "./unrecorded-lines.ts";

export interface MessageStreamOptions {
  /** Writes one line. */
  readonly send: (line: string) => Promise<void>;
  readonly unrecorded: UnrecordedLines;
  /** Called with the prompt's line before sending; a rejection ends the prompt without sending. */
  readonly beforePrompt: (line: string) => Promise<void>;
}

/** Error code of an unsent prompt. */
const notSentCode = -32_099;

/** Alias for `session/update`, since the library drops updates that its own schema rejects. */
export const sessionUpdateMethod = "incipit/session_update";

/** Connects a program's pipes with the protocol library. */
export class MessageStream {
  readonly stream: Stream;
  readonly #options: MessageStreamOptions;
  /** A null result counts as an empty one. */
  readonly #open = new OpenRequests({ mend: (result) => (result === null ? {} : plainObject(result)) });
  #controller: ReadableStreamDefaultController<AnyMessage> | undefined;

  constructor(options: MessageStreamOptions) {
    this.#options = options;
    this.stream = {
      readable: new ReadableStream<AnyMessage>({ start: (controller) => void (this.#controller = controller) }),
      writable: new WritableStream<AnyMessage>({ write: (message) => this.#write(message) }),
    };
  }

  /**
   * Receives a message, read leniently; a repeated answer is dropped.
   * @throws {SyntaxError} for an invalid message.
   */
  receive(message: unknown): void {
    for (const one of this.#open.read(message)) this.#controller?.enqueue("method" in one ? libraryCall(one) : one);
  }

  /**
   * Fails the request named by a partial message.
   * @returns whether there is one.
   */
  receiveBroken(line: string): boolean {
    const failed = this.#open.readBroken(line);
    for (const one of failed) this.#controller?.enqueue(one);
    return failed.length > 0;
  }

  end(): void {
    this.#controller?.close();
    this.#controller = undefined;
  }

  async #write(message: AnyMessage): Promise<void> {
    const line = JSON.stringify(message);
    if ("method" in message && "id" in message && message.id !== null) {
      this.#open.note(message);
      if (message.method === "session/prompt") {
        try {
          await this.#options.beforePrompt(line);
        } catch {
          // The recorder knows the reason; the library only needs an answer.
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

/** Adds empty parameters where missing, since the library prints a line for each such message. */
function libraryCall({ method, params = {}, ...call }: RpcCall): RpcCall {
  return { ...call, method: method === "session/update" ? sessionUpdateMethod : method, params };
}
