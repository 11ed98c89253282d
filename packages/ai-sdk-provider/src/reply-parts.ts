import type { PartMetadata } from "@incipit/schema";

export interface ReplyPart {
  readonly kind: "text" | "reasoning";
  readonly partId: string;
  isStarted: boolean;
  metadata: PartMetadata | undefined;
}

/** Normalizes the order of parts: output without a part starts one, and a reused id gets a new part with its own id. */
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

  closeAll(): readonly ReplyPart[] {
    const open = [...this.#open.values()];
    this.#open.clear();
    return open;
  }
}
