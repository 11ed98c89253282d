import type { Conversation, QueuedTurn } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Problem } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { words } from "../text/words.ts";

interface QueueProps {
  readonly conversation: Conversation;
  readonly queue: readonly QueuedTurn[];
  readonly onChange: (queue: readonly QueuedTurn[]) => void;
}

export function Queue({ conversation: { id, status }, queue, onChange }: QueueProps): JSX.Element | null {
  const said = words.composer;
  const [error, setError] = useState<unknown>();
  if (queue.length === 0) return null;
  const trying = async (work: () => Promise<unknown>): Promise<void> => {
    setError(undefined);
    await work().catch(setError);
  };
  const takeBack = (turnId: string): Promise<void> =>
    trying(async () => {
      const left = await api.call(routes.removeQueuedTurn, { params: { id, turnId } });
      onChange(left.queue);
    });
  return (
    <section class="queue" aria-label={said.queue}>
      <h2 class="quiet">{status === "waiting" ? said.waiting : said.queue}</h2>
      <ol>
        {queue.map(({ turnId, input }) => (
          <li key={turnId} class="row">
            <span class="queued" dir="auto">
              {input}
            </span>
            <button type="button" class="plain" onClick={() => void takeBack(turnId)}>
              {said.unqueue}
            </button>
          </li>
        ))}
      </ol>
      {status === "waiting" && (
        <button
          type="button"
          onClick={() => void trying(() => api.call(routes.resumeConversation, { params: { id } }))}
        >
          {said.resume}
        </button>
      )}
      {error !== undefined && <Problem error={error} />}
    </section>
  );
}
