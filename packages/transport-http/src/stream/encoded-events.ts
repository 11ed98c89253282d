import type { TurnEvent } from "@incipit/schema";

/** Events as server-sent events; each is written out once, however many follow it. */
export class EncodedEvents {
  readonly #encoder = new TextEncoder();
  /** Followers of one conversation are given the very same events. */
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
