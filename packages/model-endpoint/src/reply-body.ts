/**
 * How far a reply has come. `whole`: nothing of it is missing, though more may come, such as usage. `ended`: nothing more of it
 * comes.
 */
export type ReplyProgress = "open" | "whole" | "ended";

/**
 * In milliseconds, from when nothing of a reply is missing. Servers end their answers at once, or keep them open for ever; one that
 * gives a finish reason ahead of its text must not be cut short.
 */
const graceMs = 5_000;

/** The bytes of an answer. It ends with its reply, also where the connection stays open, or breaks once nothing is missing. */
export class ReplyBody {
  readonly #reader: ReturnType<typeof readerOf>;
  #grace: Promise<undefined> | undefined;

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = readerOf(body);
  }

  /**
   * Returns the next bytes; `undefined` at the end.
   * @throws what reading throws while something of the reply is missing.
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

  /** Gives up what was not read. */
  cancel(reason?: unknown): void {
    this.#reader.cancel(reason).catch(() => undefined); // Nobody waits for it.
  }

  /** Reads the end, so that the connection can be used again. */
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
