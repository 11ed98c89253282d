import { OpenRequests, plainObject, type RpcCall } from "@incipit/program-kit";
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

/** The library drops each `session/update` that its own schema rejects; under this name it is passed on as it came. */
export const sessionUpdateMethod = "incipit/session_update";

/** The messages of one connection, between the pipes of a program and the protocol's library. */
export class MessageStream {
  readonly stream: Stream;
  readonly #options: MessageStreamOptions;
  /** An answer that is null stands for one without members. */
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
   * Takes what an agent sends, read leniently; an answer to what was answered before is dropped.
   * @throws {SyntaxError} for what is no message.
   */
  receive(message: unknown): void {
    for (const one of this.#open.read(message)) this.#controller?.enqueue("method" in one ? libraryCall(one) : one);
  }

  /** Fails the request that half a message names. @returns whether there is one. */
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

/** Returns a call as the library takes it: it prints a line for each one without parameters. */
function libraryCall({ method, params = {}, ...call }: RpcCall): RpcCall {
  return { ...call, method: method === "session/update" ? sessionUpdateMethod : method, params };
}
