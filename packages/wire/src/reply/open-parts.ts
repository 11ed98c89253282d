import type { PartMetadata } from "@incipit/schema";
import type { ReplyDelta } from "./reply-event.ts";

type Kind = "text" | "reasoning";

/** One part of each kind is open at a time; later ones get new ids. */
export class OpenParts {
  readonly #ids: Readonly<Record<Kind, string>>;
  readonly #open = new Map<Kind, string>();
  readonly #counts = new Map<Kind, number>();

  constructor(ids: Readonly<Record<Kind, string>>) {
    this.#ids = ids;
  }

  say(kind: Kind, text: string): readonly ReplyDelta[] {
    const open = this.#open.get(kind);
    const partId = open ?? this.#begin(kind);
    const delta = { type: `${kind}-delta`, partId, text } as const;
    return open === undefined ? [{ type: `${kind}-start`, partId } as const, delta] : [delta];
  }

  end(kind: Kind, metadata?: PartMetadata): readonly ReplyDelta[] {
    const partId = this.#open.get(kind);
    if (partId === undefined) return [];
    this.#open.delete(kind);
    return [{ type: `${kind}-end`, partId, ...(metadata === undefined ? {} : { metadata }) }];
  }

  #begin(kind: Kind): string {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const partId = count === 1 ? this.#ids[kind] : `${this.#ids[kind]}-${count}`;
    this.#open.set(kind, partId);
    return partId;
  }
}
