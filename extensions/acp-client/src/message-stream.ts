import { plainObject } from "@incipit/common";
import { OpenRequests, type RpcCall } from "@incipit/common/programs";
import type { AnyMessage, Stream } from "@agentclientprotocol/sdk/unstable";
import type { UnrecordedLines } from "./unrecorded-lines.ts";

export interface MessageStreamOptions {
  readonly send: (line: string) => Promise<void>;
  readonly unrecorded: UnrecordedLines;
  readonly beforePrompt: (line: string) => Promise<void>;
}

const notSentCode = -32_099;

/** Alias for `session/update`, since the library drops updates that its own schema rejects. */
export const sessionUpdateMethod = "incipit/session_update";

export class MessageStream {
  readonly stream: Stream;
  readonly #options: MessageStreamOptions;
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
   * A repeated answer is dropped.
   * @throws {SyntaxError} for an invalid message.
   */
  receive(message: unknown): void {
    for (const one of this.#open.read(message)) this.#controller?.enqueue("method" in one ? libraryCall(one) : one);
  }

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

/** Adds empty parameters to a call without any, for which the library would print a line. */
function libraryCall({ method, params = {}, ...call }: RpcCall): RpcCall {
  return { ...call, method: method === "session/update" ? sessionUpdateMethod : method, params };
}
