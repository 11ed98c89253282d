import type { SessionState } from "@incipit/client/session";
import type { ConversationTask, Spent } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { addressOf } from "../place/place.ts";
import { useRoute } from "../session/use-load.ts";
import { amounts } from "../text/amounts.ts";
import { words } from "../text/words.ts";

/** Delegates a task to another agent. */
const toolName = "agent";
/** Subtasks and the command show more. */
const maxShown = 50;

type Shown = Pick<SessionState, "messages" | "live">;

export function Tasks({ id, messages, live }: Shown & { readonly id: string }): JSX.Element | null {
  // A long conversation would be rescanned for each delta.
  const stored = useMemo(() => callsIn(messages), [messages]);
  const version = 2 * stored + callsUnderWay(live);
  return version === 0 ? null : <TaskList id={id} version={version} />;
}

function callsIn(messages: Shown["messages"]): number {
  let calls = 0;
  for (const { parts } of messages)
    for (const part of parts) if (part.type === "tool-call" && part.name === toolName) calls += 1;
  return calls;
}

/** One per call, one more once it has ended. */
function callsUnderWay(live: Shown["live"]): number {
  let count = 0;
  for (const part of live?.parts ?? [])
    if (part.kind === "tool-call" && part.name === toolName)
      count += part.output === undefined && part.problem === undefined ? 1 : 2;
  return count;
}

interface TaskListProps {
  readonly id: string;
  readonly version: number;
}

function TaskList({ id, version }: TaskListProps): JSX.Element | null {
  const said = words.tasks;
  const loaded = useRoute(routes.listTasks, { params: { id }, query: { limit: maxShown } }, [version]);
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
