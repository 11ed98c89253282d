import type { NetSocket, NetSocketEnd, NetSocketOptions } from "../contract/capabilities.ts";
import type { Clock } from "../time/clock.ts";
import { createDeferred } from "../time/deferred.ts";

export interface RawSocket {
  send(text: string): void;
  close(code?: number, reason?: string): void;
  /** Drops the connection without a close frame. */
  terminate?(): void;
  addEventListener(type: "open" | "message" | "close" | "error", listener: (event: object) => void): void;
}

export interface OpenSocketOptions extends NetSocketOptions {
  readonly clock: Clock;
}

const defaultWaitingLength = 33_554_432;
/** For the peer to answer a close frame before the connection is cut. */
const closeTimeoutMs = 5_000;
const codes = { normal: 1_000, noText: 1_003, tooMuch: 1_009 } as const;

/** Adapts a runtime socket for `net` drivers: a bounded stream of messages, and a close that does not wait. */
export class OpenSocket implements NetSocket {
  readonly #raw: RawSocket;
  readonly #clock: Clock;
  readonly #maxWaitingLength: number;
  readonly #waiting: string[] = [];
  readonly #ended = createDeferred<NetSocketEnd>();
  #waitingLength = 0;
  #isOver = false;
  #changed = createDeferred();

  private constructor(
    raw: RawSocket,
    { clock, signal, maxWaitingLength = defaultWaitingLength }: OpenSocketOptions,
  ) {
    this.#raw = raw;
    this.#clock = clock;
    this.#maxWaitingLength = maxWaitingLength;
    const abort = (): void => this.close();
    signal?.addEventListener("abort", abort);
    void this.ended.then(() => signal?.removeEventListener("abort", abort));
    raw.addEventListener("message", (event) => this.#take("data" in event ? event.data : undefined));
    raw.addEventListener("close", (event) => this.#end(endOf(event)));
  }

  /** Rejects with the runtime's error or the signal's reason. */
  static async opened(raw: RawSocket, options: OpenSocketOptions): Promise<OpenSocket> {
    const { signal } = options;
    const opening = createDeferred();
    const socket = new OpenSocket(raw, options);
    const abort = (): void => opening.reject(signal?.reason);
    raw.addEventListener("open", () => opening.resolve());
    raw.addEventListener("error", (event) => opening.reject(errorOf(event)));
    raw.addEventListener("close", (event) => {
      opening.reject(new Error(`It closed before it opened (${endOf(event).code})`));
    });
    signal?.addEventListener("abort", abort);
    if (signal?.aborted === true) abort();
    try {
      await opening.promise;
      return socket;
    } catch (error) {
      socket.close();
      raw.terminate?.();
      throw error;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  get ended(): Promise<NetSocketEnd> {
    return this.#ended.promise;
  }

  get messages(): AsyncIterable<string> {
    return this.#read();
  }

  send(text: string): void {
    if (!this.#isOver) this.#raw.send(text);
  }

  close(code: number = codes.normal, reason = ""): void {
    if (this.#isOver) return;
    this.#end({ code, reason });
    const cancel = this.#clock.setTimer(() => this.#raw.terminate?.(), closeTimeoutMs);
    this.#raw.addEventListener("close", cancel);
    this.#raw.close(code, reason);
  }

  async *#read(): AsyncGenerator<string> {
    try {
      for (;;) {
        const text = this.#waiting.shift();
        if (text !== undefined) {
          this.#waitingLength -= text.length;
          yield text;
        } else if (this.#isOver) return;
        else await this.#changed.promise;
      }
    } finally {
      this.close();
    }
  }

  #take(data: unknown): void {
    if (this.#isOver) return;
    if (typeof data !== "string") return this.close(codes.noText, "Only text is read");
    if (this.#waitingLength + data.length > this.#maxWaitingLength)
      return this.close(codes.tooMuch, "More has come than is read");
    this.#waitingLength += data.length;
    this.#waiting.push(data);
    this.#change();
  }

  #end(end: NetSocketEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#ended.resolve(end);
    this.#change();
  }

  #change(): void {
    this.#changed.resolve();
    this.#changed = createDeferred();
  }
}

function errorOf(event: object): Error {
  if ("error" in event && event.error instanceof Error) return event.error;
  return new Error(
    "message" in event && typeof event.message === "string" ? event.message : "It could not be opened",
  );
}

function endOf(event: object): NetSocketEnd {
  return {
    code: "code" in event && typeof event.code === "number" ? event.code : 1_006,
    reason: "reason" in event && typeof event.reason === "string" ? event.reason : "",
  };
}
