/** `whole`: complete, but more may follow, such as usage. `ended`: nothing follows. */
export type ReplyProgress = "open" | "whole" | "ended";

/**
 * Wait in milliseconds after a reply is complete. Servers end their answers immediately or never; a server that sends
 * the finish reason before the text must not be truncated.
 */
const graceMs = 5_000;

/** Ends with the reply, also if the connection stays open, or breaks afterwards. */
export class ReplyBody {
  readonly #reader: ReturnType<typeof readerOf>;
  #grace: Promise<undefined> | undefined;

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = readerOf(body);
  }

  /**
   * `undefined` at the end.
   * @throws read errors while the reply is incomplete.
   */
  async next(progress: ReplyProgress): Promise<Uint8Array | undefined> {
    if (progress === "ended") {
      void this.#drain();
      return undefined;
    }
    const reading = this.#reader.read();
    if (progress === "open") return (await reading).value;
    const read = await Promise.race([reading.catch(() => undefined), this.#untilGrace()]);
    if (read === undefined) this.cancel();
    return read?.value;
  }

  cancel(reason?: unknown): void {
    this.#reader.cancel(reason).catch(() => undefined);
  }

  /** Reads the rest of the body, so that the connection can be reused. */
  async #drain(): Promise<void> {
    const until = this.#untilGrace();
    for (;;) {
      const read = await Promise.race([this.#reader.read().catch(() => undefined), until]);
      if (read?.done === false) continue;
      if (read === undefined) this.cancel();
      return;
    }
  }

  #untilGrace(): Promise<undefined> {
    this.#grace ??= new Promise((resolve) => {
      setTimeout(() => resolve(undefined), graceMs).unref();
    });
    return this.#grace;
  }
}

function readerOf(body: ReadableStream<Uint8Array>) {
  return body.getReader();
}
