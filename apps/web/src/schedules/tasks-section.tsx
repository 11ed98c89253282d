import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Confirm } from "../controls/confirm.tsx";
import { Problem } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { useKept } from "../session/use-kept.ts";
import { useLoad } from "../session/use-load.ts";
import { useRefresh } from "../session/use-refresh.ts";
import { scheduleWords as said } from "../text/schedule-words.ts";
import { words } from "../text/words.ts";
import { NewTask } from "./new-task.tsx";
import { refreshMs } from "./refresh.ts";
import { TaskEntry } from "./task-entry.tsx";

const pageSize = 100;

export function TasksSection(): JSX.Element {
  const [limit, setLimit] = useState(pageSize);
  const { loaded, reload } = useLoad(
    (signal) => api.call(routes.listSchedules, { query: { limit }, signal }),
    [limit],
  );
  const listed = useKept(loaded);
  const isUnderWay = listed?.schedules.some(({ lastRun }) => lastRun !== null && lastRun.endedAt === null);
  useRefresh(reload, refreshMs(isUnderWay ?? false));
  const [done, setDone] = useState("");
  const [error, setError] = useState<unknown>();
  const [removing, setRemoving] = useState<string>();
  const trying = async (work: () => Promise<unknown>, what: string): Promise<void> => {
    setError(undefined);
    setDone("");
    try {
      await work();
      setDone(what);
    } catch (cause) {
      setError(cause);
    }
    reload();
  };
  return (
    <section aria-labelledby="tasks">
      <h2 id="tasks">{said.tasks}</h2>
      {loaded.state === "loading" && listed === undefined && <p class="quiet">{words.state.loading}</p>}
      {loaded.state === "failed" && <Problem error={loaded.error} onRetry={reload} />}
      {listed?.schedules.length === 0 && <p>{said.none}</p>}
      {listed?.schedules.map((schedule) => {
        const params = { id: schedule.id };
        return (
          <TaskEntry
            key={schedule.id}
            schedule={schedule}
            onRun={() => void trying(() => api.call(routes.runSchedule, { params }), said.started(schedule.id))}
            onPause={(paused) =>
              void trying(() => api.call(routes.updateSchedule, { params, body: { paused } }), "")
            }
            onRemove={() => setRemoving(schedule.id)}
          />
        );
      })}
      {listed?.nextCursor !== undefined && limit < 1_000 && (
        <button type="button" class="plain" onClick={() => setLimit(1_000)}>
          {said.more}
        </button>
      )}
      {error !== undefined && <Problem error={error} />}
      <p role="status" class="quiet">
        {done}
      </p>
      <NewTask
        onMade={(id) => {
          setError(undefined);
          setDone(said.new.made(id));
          reload();
        }}
      />
      {removing !== undefined && (
        <Confirm
          title={said.removeTitle(removing)}
          text={said.removeText}
          agree={said.removeAgree}
          onAgree={() =>
            void trying(() => api.call(routes.deleteSchedule, { params: { id: removing } }), said.removed(removing))
          }
          onClose={() => setRemoving(undefined)}
        />
      )}
    </section>
  );
}
