import type { PartMetadata } from "@incipit/schema";

/** A text or a reasoning that a vendor is about to say. */
export interface ReplyPart {
  readonly kind: "text" | "reasoning";
  readonly partId: string;
  /** Whether any of it was given. */
  isStarted: boolean;
  metadata: PartMetadata | undefined;
}

/**
 * The open parts of one reply, by the vendor's ids. Whatever a vendor sends, what is made of it is in order: what belongs to no
 * part begins one, and an id that was used before, or for the other kind, gets a part with an id of its own.
 */
export class ReplyParts {
  readonly #open = new Map<string, ReplyPart>();
  readonly #used = new Set<string>();

  at(kind: ReplyPart["kind"], id: string): ReplyPart {
    const key = `${kind} ${id}`;
    const open = this.#open.get(key);
    if (open !== undefined) return open;
    let partId = id;
    for (let count = 2; this.#used.has(partId); count += 1) partId = `${id}-${count}`;
    this.#used.add(partId);
    const part = { kind, partId, isStarted: false, metadata: undefined };
    this.#open.set(key, part);
    return part;
  }

  close(kind: ReplyPart["kind"], id: string): void {
    this.#open.delete(`${kind} ${id}`);
  }

  /** Those that the vendor left open, in the order in which they began. */
  closeAll(): readonly ReplyPart[] {
    const open = [...this.#open.values()];
    this.#open.clear();
    return open;
  }
}
