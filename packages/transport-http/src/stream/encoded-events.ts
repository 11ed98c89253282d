import type { TurnEvent } from "@incipit/schema";

export class EncodedEvents {
  readonly #encoder = new TextEncoder();
  /** Followers of a conversation receive the same event objects. */
  readonly #known = new WeakMap<TurnEvent, Uint8Array>();

  of(event: TurnEvent): Uint8Array {
    const known = this.#known.get(event);
    if (known !== undefined) return known;
    const text = `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
    const encoded = this.#encoder.encode(text);
    this.#known.set(event, encoded);
    return encoded;
  }
}
