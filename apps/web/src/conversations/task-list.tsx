import type { ConversationTask, Spent } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { addressOf } from "../place/place.ts";
import { api } from "../session/api.ts";
import { useLoad } from "../session/use-load.ts";
import { amounts } from "../text/amounts.ts";
import { words } from "../text/words.ts";
import type { ConversationState } from "./conversation-feed.ts";

/** The tool with which a model gives a task to another agent. */
const toolName = "agent";
/** More are in the tasks of tasks, or found by the command. */
const maxShown = 50;

interface TaskListProps {
  readonly id: string;
  /** Another number: a task has begun, or ended, since. */
  readonly version: number;
}

/** How many calls have given tasks, and how many of these have ended; 0: none was given. */
export function taskVersion({ messages, live }: Pick<ConversationState, "messages" | "live">): number {
  let version = 0;
  for (const { parts } of messages)
    for (const part of parts) if (part.type === "tool-call" && part.name === toolName) version += 2;
  for (const part of live?.parts ?? [])
    if (part.kind === "tool-call" && part.name === toolName)
      version += part.output === undefined && part.problem === undefined ? 1 : 2;
  return version;
}

/** The tasks that its model has given to other agents, each with how it is and what it and those below it came to. */
export function TaskList({ id, version }: TaskListProps): JSX.Element | null {
  const said = words.tasks;
  const { loaded } = useLoad(
    (signal) => api.call(routes.listTasks, { params: { id }, query: { limit: maxShown }, signal }),
    [id, version],
  );
  if (loaded.state !== "ready" || loaded.value.tasks.length === 0) return null;
  const { tasks, nextCursor } = loaded.value;
  return (
    <details class="tasks">
      <summary>{said.title(tasks.length, nextCursor !== undefined)}</summary>
      <ul>
        {tasks.map((task) => (
          <li key={task.conversation.id}>
            <a dir="auto" href={addressOf({ view: "conversations", id: task.conversation.id })}>
              {task.conversation.title ?? words.conversations.untitled}
            </a>
            <span class="quiet">{` ${remarks(task).join(" · ")}`}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function remarks({ conversation, spent, spentBelow }: ConversationTask): readonly string[] {
  const said = words.tasks;
  const { profile, status, approvals } = conversation;
  return [
    ...(profile === null ? [] : [profile]),
    ...(approvals.length > 0 ? [words.conversations.needsAnswer] : status === "idle" ? [] : [said.runs]),
    sum(spent),
    ...(spentBelow.tokens === 0 ? [] : [said.below(sum(spentBelow))]),
  ];
}

function sum({ tokens, usd }: Spent): string {
  return `${words.tasks.tokens(tokens)}${usd === 0 ? "" : `, ${amounts.dollars(usd)}`}`;
}
