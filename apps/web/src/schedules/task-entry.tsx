import type { Schedule, ConversationId, ScheduleRun } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { AskingButton } from "../controls/confirm.tsx";
import { Button, Paragraph } from "../controls/fields.tsx";
import { Folded } from "../controls/folded.tsx";
import { Time, Facts } from "../controls/layout.tsx";
import { PagedRecords } from "../controls/paged-records.tsx";
import { addressOf } from "../place/place.ts";
import { api } from "../session/api.ts";
import { amounts } from "../text/amounts.ts";
import { scheduleWords as said } from "../text/schedule-words.ts";
import { RanRecord } from "./ran-record.tsx";

interface TaskEntryProps {
  readonly schedule: Schedule;
  readonly onRun: () => void;
  readonly onPause: (paused: boolean) => void;
  readonly onRemove: () => void;
}

export function TaskEntry({ schedule, onRun, onPause, onRemove }: TaskEntryProps): JSX.Element {
  const { id, task, source, paused, nextAt, conversationId, lastRun, tell, tokensToday, usdToday, unpricedToday } =
    schedule;
  const { problem } = schedule;
  return (
    <article aria-labelledby={`task-${id}`} data-state={paused ? "paused" : "active"}>
      <h3 id={`task-${id}`}>{id}</h3>
      <Paragraph class="task">{task}</Paragraph>
      {problem !== null && <Paragraph class="problem">{problem}</Paragraph>}
      <Facts
        facts={[
          [said.new.kind, <code key="when">{said.when(schedule)}</code>],
          [said.next, paused ? said.paused : nextAt === null ? said.over : <Time at={nextAt} />],
          [said.tells, tell && <code>{tell}</code>],
          [said.tokensToday, amounts.count(tokensToday)],
          [said.costToday, said.cost(usdToday, unpricedToday)],
        ]}
      />
      {conversationId !== null && (
        <a href={addressOf({ view: "conversations", id: conversationId })}>{said.opensConversation}</a>
      )}
      <h4>{said.lastRun}</h4>
      {lastRun === null ? (
        <p class="quiet">{said.neverRan}</p>
      ) : (
        <ul class="records">
          <RunRecord run={lastRun} scheduleId={id} ownConversationId={conversationId} />
        </ul>
      )}
      <div class="row">
        <Button text={said.run} onClick={onRun} />
        <Button text={paused ? said.resume : said.pause} onClick={() => onPause(!paused)} />
        {source === "api" && (
          <AskingButton
            text={said.remove}
            class="danger"
            question={{
              title: said.removeTitle(id),
              text: said.removeText,
              agree: said.removeAgree,
              onAgree: onRemove,
            }}
          />
        )}
      </div>
      {source === "configuration" && <p class="quiet">{said.configured}</p>}
      <Folded title={said.history}>
        <PagedRecords
          key={`${lastRun?.id ?? ""} ${lastRun?.status ?? ""}`}
          none={said.neverRan}
          load={(query, signal) => api.call(routes.listScheduleRuns, { params: { id }, query, signal })}
          itemsOf={({ runs }) => runs}
          draw={(run) => <RunRecord key={run.id} run={run} scheduleId={id} ownConversationId={conversationId} />}
        />
      </Folded>
    </article>
  );
}

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
  /** Conversation of the schedule itself, which is linked elsewhere; a run shows only another one. */
  readonly ownConversationId: ConversationId | null;
}

function RunRecord({ run, scheduleId, ownConversationId }: RunRecordProps): JSX.Element {
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
