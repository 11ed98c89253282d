import type { Schedule } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { Folded } from "../controls/folded.tsx";
import { addressOf } from "../place/place.ts";
import { api } from "../session/api.ts";
import { amounts } from "../text/amounts.ts";
import { scheduleWords as said } from "../text/schedule-words.ts";
import { PagedRecords } from "../controls/paged-records.tsx";
import { RunRecord } from "./run-record.tsx";

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
      <p class="task" dir="auto">
        {task}
      </p>
      {problem !== null && (
        <p class="problem" dir="auto">
          {problem}
        </p>
      )}
      <dl class="facts">
        <dt>{said.new.kind}</dt>
        <dd>
          <code>{said.when(schedule)}</code>
        </dd>
        <dt>{said.next}</dt>
        <dd>
          {paused && said.paused}
          {!paused && nextAt === null && said.over}
          {!paused && nextAt !== null && <time dateTime={nextAt}>{amounts.time(nextAt)}</time>}
        </dd>
        {tell !== null && (
          <>
            <dt>{said.tells}</dt>
            <dd>
              <code>{tell}</code>
            </dd>
          </>
        )}
        <dt>{said.tokensToday}</dt>
        <dd>{amounts.count(tokensToday)}</dd>
        <dt>{said.costToday}</dt>
        <dd>{said.cost(usdToday, unpricedToday)}</dd>
      </dl>
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
        <button type="button" onClick={onRun}>
          {said.run}
        </button>
        <button type="button" onClick={() => onPause(!paused)}>
          {paused ? said.resume : said.pause}
        </button>
        {source === "api" && (
          <button type="button" class="danger" onClick={onRemove}>
            {said.remove}
          </button>
        )}
      </div>
      {source === "configuration" && <p class="quiet">{said.configured}</p>}
      <Folded title={said.history}>
        <PagedRecords
          key={`${lastRun?.id ?? ""} ${lastRun?.status ?? ""}`}
          none={said.neverRan}
          load={async (cursor, signal) => {
            const query = cursor === undefined ? {} : { cursor };
            const { runs, nextCursor } = await api.call(routes.listScheduleRuns, { params: { id }, query, signal });
            return { items: runs, nextCursor };
          }}
          draw={(run) => <RunRecord key={run.id} run={run} scheduleId={id} ownConversationId={conversationId} />}
        />
      </Folded>
    </article>
  );
}
