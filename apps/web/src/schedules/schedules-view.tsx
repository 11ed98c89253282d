import type { JSX } from "preact";
import { scheduleWords as said } from "../text/schedule-words.ts";
import { HeartbeatSection } from "./heartbeat-section.tsx";
import { TasksSection } from "./tasks-section.tsx";

export function SchedulesView(): JSX.Element {
  return (
    <main id="content" class="host schedules" tabIndex={-1} aria-label={said.title}>
      <div>
        <h1>{said.title}</h1>
        <p class="quiet">{said.intro}</p>
      </div>
      <HeartbeatSection />
      <TasksSection />
    </main>
  );
}
