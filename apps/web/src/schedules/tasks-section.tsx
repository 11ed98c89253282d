import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../controls/fields.tsx";
import { Section } from "../controls/layout.tsx";
import { Pending, useTrying } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { useRoute, useRefresh } from "../session/use-load.ts";
import { scheduleWords as said } from "../text/schedule-words.ts";
import { NewTask } from "./new-task.tsx";
import { refreshMs } from "./refresh.ts";
import { TaskEntry } from "./task-entry.tsx";

const pageSize = 100;

export function TasksSection(): JSX.Element {
  const [limit, setLimit] = useState(pageSize);
  const loaded = useRoute(routes.listSchedules, { query: { limit } });
  const listed = loaded.known;
  const isUnderWay = listed?.schedules.some(({ lastRun }) => lastRun !== null && lastRun.endedAt === null);
  useRefresh(loaded.reload, refreshMs(isUnderWay ?? false));
  const { trying, problem, done, announce } = useTrying();
  const change = async (work: () => Promise<unknown>, outcome: string): Promise<void> => {
    await trying(async () => {
      await work();
      return outcome;
    });
    loaded.reload();
  };
  return (
    <Section id="tasks" title={said.tasks}>
      <Pending of={loaded} />
      {listed?.schedules.length === 0 && <p>{said.none}</p>}
      {listed?.schedules.map((schedule) => {
        const params = { id: schedule.id };
        return (
          <TaskEntry
            key={schedule.id}
            schedule={schedule}
            onRun={() => void change(() => api.call(routes.runSchedule, { params }), said.started(schedule.id))}
            onPause={(paused) =>
              void change(() => api.call(routes.updateSchedule, { params, body: { paused } }), "")
            }
            onRemove={() =>
              void change(() => api.call(routes.deleteSchedule, { params }), said.removed(schedule.id))
            }
          />
        );
      })}
      {listed?.nextCursor !== undefined && limit < 1_000 && (
        <Button text={said.more} class="plain" onClick={() => setLimit(1_000)} />
      )}
      {problem}
      <p role="status" class="quiet">
        {done}
      </p>
      <NewTask
        onMade={(id) => {
          announce(said.new.made(id));
          loaded.reload();
        }}
      />
    </Section>
  );
}
