import type { ClientCapabilities, SessionUpdate } from "@agentclientprotocol/sdk/unstable";
import type { TurnEvent } from "@incipit/schema";

type NoticedEvent = Extract<
  TurnEvent,
  { type: "tools-resolve" | "step-retry" | "spending-notice" | "folder-notice" }
>;

export class NoticeUpdates {
  readonly #isShown: boolean;

  constructor({ session }: ClientCapabilities) {
    this.#isShown = session?.notices !== undefined && session.notices !== null;
  }

  take(event: NoticedEvent): readonly SessionUpdate[] {
    if (!this.#isShown) return [];
    if (event.type === "tools-resolve")
      return event.problems.map((problem) => warning("A tool was skipped", problem));
    if (event.type === "spending-notice") return [warning("Spending", event.message)];
    if (event.type === "folder-notice") return [warning("Working folder", event.message)];
    const seconds = Math.ceil(event.waitMs / 1_000);
    return [warning(`Retrying the model in ${seconds} s`, event.error.message)];
  }
}

function warning(title: string, description: string): SessionUpdate {
  return { sessionUpdate: "notice", severity: "warning", title, description };
}
