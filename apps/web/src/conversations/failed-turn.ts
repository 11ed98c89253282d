import type { SessionState } from "@incipit/client/session";
import type { ShortTurnEnd, CreateTurnRequest, Message } from "@incipit/schema";

export interface FailedTurn {
  readonly turnId: string;
  readonly input: CreateTurnRequest["input"];
  /** Whether the failed turn ran tools, which a retry may run again. */
  readonly hasRunTools: boolean;
}

/**
 * Earlier turns would be out of order, stopped turns were unwanted, and while anything runs or waits the newest turn is
 * another. Removed files are left out.
 */
export function failedTurn({ conversation, messages, live, queue }: SessionState): FailedTurn | undefined {
  const newest = messages.at(-1);
  const status = newest?.turnEnd?.status;
  if (newest === undefined || (status !== "failed" && status !== "interrupted")) return undefined;
  if (conversation.status !== "idle" || queue.length > 0) return undefined;
  const { turnId } = newest;
  if (live !== undefined && live.turnId !== turnId) return undefined;
  const ofTurn = messages.filter((message) => message.turnId === turnId);
  const asked = ofTurn.find(({ role }) => role === "user");
  if (asked === undefined) return undefined;
  const parts = asked.parts.filter((part) => part.type === "text" || part.type === "file").filter(isSent);
  if (parts.length === 0) return undefined;
  const [first] = parts;
  const input = parts.length === 1 && first?.type === "text" ? first.text : parts;
  return { turnId, input, hasRunTools: ofTurn.some(({ role }) => role === "tool") };
}

function isSent(part: Extract<Message["parts"][number], { readonly type: "text" | "file" }>): boolean {
  return part.type === "text" || part.removedAt === undefined;
}

/** Keyed by the last visible message of the turn. */
export function endsOf(messages: readonly Message[]): ReadonlyMap<string, ShortTurnEnd> {
  const ends = new Map<string, ShortTurnEnd>();
  let drawn: Message | undefined;
  for (const message of messages) {
    if (message.role !== "tool") drawn = message;
    const isOfDrawn = drawn?.turnId === message.turnId;
    if (message.turnEnd !== undefined && drawn !== undefined && isOfDrawn) ends.set(drawn.id, message.turnEnd);
  }
  return ends;
}
