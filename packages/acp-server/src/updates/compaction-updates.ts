import type { ClientCapabilities, SessionUpdate } from "@agentclientprotocol/sdk/unstable";
import type { TurnEvent } from "@incipit/schema";

type CompactionEvent = Extract<TurnEvent, { type: "compaction-start" | "compaction-end" }>;

export class CompactionUpdates {
  readonly #isShown: boolean;
  #compactionId: string | undefined;

  constructor({ session }: ClientCapabilities) {
    this.#isShown = session?.compaction !== undefined && session.compaction !== null;
  }

  take(event: CompactionEvent): readonly SessionUpdate[] {
    if (!this.#isShown) return [];
    // Even if the start was missed.
    const begun = event.type === "compaction-start" ? undefined : this.#compactionId;
    const compactionId = begun ?? `${event.turnId}/${event.seq}`;
    this.#compactionId = event.type === "compaction-start" ? compactionId : undefined;
    const common = { sessionUpdate: "compaction_update", compactionId } as const;
    if (event.type === "compaction-start") return [{ ...common, status: "in_progress" }];
    const { status, error } = event;
    const told = status === "interrupted" ? "failed" : status;
    return [{ ...common, status: told, ...(error === undefined ? {} : { error: error.message }) }];
  }
}
