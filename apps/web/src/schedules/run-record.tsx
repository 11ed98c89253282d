import type { ConversationId, ScheduleRun } from "@incipit/schema";
import type { JSX } from "preact";
import { scheduleWords as said } from "../text/schedule-words.ts";
import { RanRecord } from "./ran-record.tsx";

const marks = {
  waiting: "open",
  running: "open",
  completed: "good",
  failed: "bad",
  cancelled: "bad",
  interrupted: "bad",
  skipped: "none",
} as const satisfies Record<ScheduleRun["status"], string>;

interface RunRecordProps {
  readonly run: ScheduleRun;
  /** A run may belong to several schedules. */
  readonly scheduleId: string;
  /** Linked elsewhere. */
  readonly ownConversationId: ConversationId | null;
}

export function RunRecord({ run, scheduleId, ownConversationId }: RunRecordProps): JSX.Element {
  const { occurrences, status, claimedAt, quiet, tokens, reply, error, conversationId } = run;
  const own = occurrences.find((occurrence) => occurrence.scheduleId === scheduleId);
  const notes = [
    ...(own?.asked === true ? [said.asked] : []),
    ...(own?.missed === true && status !== "skipped" ? [said.missed] : []),
  ];
  return (
    <RanRecord
      at={own?.dueAt ?? claimedAt}
      mark={marks[status]}
      outcome={status === "completed" ? said.done(quiet) : said.statuses[status]}
      notes={notes}
      tokens={tokens}
      reply={reply}
      error={error}
      conversationId={conversationId === ownConversationId ? null : conversationId}
    />
  );
}
