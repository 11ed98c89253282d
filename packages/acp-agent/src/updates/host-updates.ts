import type { ClientCapabilities, CompactionStatus, SessionUpdate } from "@agentclientprotocol/sdk/unstable";
import type { TurnEvent, TurnStatus } from "@incipit/schema";

type EventOf<Type extends TurnEvent["type"]> = Extract<TurnEvent, { type: Type }>;
/** What the host itself does beside what a model says. */
export type HostEvent = EventOf<"tools-resolve" | "step-retry" | "compaction-start" | "compaction-end">;

const compactionStatus: Readonly<Record<TurnStatus, CompactionStatus>> = {
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
  interrupted: "failed",
};

/** What an editor is told of what the host does in a conversation, as far as it says that it can show that. */
export class HostUpdates {
  readonly #hasNotices: boolean;
  readonly #hasCompaction: boolean;
  /** Names the compaction that runs. */
  #compactionId: string | undefined;

  constructor({ session }: Pick<ClientCapabilities, "session">) {
    this.#hasNotices = isOffered(session?.notices);
    this.#hasCompaction = isOffered(session?.compaction);
  }

  take(event: HostEvent): readonly SessionUpdate[] {
    switch (event.type) {
      case "tools-resolve":
        return event.problems.flatMap((problem) => this.#warning("A tool is left out", problem));
      case "step-retry": {
        const seconds = Math.ceil(event.waitMs / 1_000);
        return this.#warning(`The model is asked again in ${seconds} s`, event.error.message);
      }
      case "compaction-start":
        this.#compactionId = idOf(event);
        return this.#compaction({ compactionId: this.#compactionId, status: "in_progress" });
      case "compaction-end": {
        const compactionId = this.#compactionId ?? idOf(event);
        this.#compactionId = undefined;
        const error = event.error === undefined ? {} : { error: event.error.message };
        return this.#compaction({ compactionId, status: compactionStatus[event.status], ...error });
      }
    }
  }

  #warning(title: string, description: string): readonly SessionUpdate[] {
    return this.#hasNotices ? [{ sessionUpdate: "notice", severity: "warning", title, description }] : [];
  }

  #compaction(update: {
    readonly compactionId: string;
    readonly status: CompactionStatus;
    readonly error?: string;
  }): readonly SessionUpdate[] {
    return this.#hasCompaction ? [{ sessionUpdate: "compaction_update", ...update }] : [];
  }
}

/** A turn may have several. */
function idOf({ turnId, seq }: HostEvent): string {
  return `${turnId}:${seq}`;
}

function isOffered(capability: unknown): boolean {
  return capability !== undefined && capability !== null;
}
