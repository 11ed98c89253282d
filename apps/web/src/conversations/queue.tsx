import type { ConversationSession, SessionState } from "@incipit/client/session";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Problem } from "../controls/problem.tsx";
import { words } from "../text/words.ts";

interface QueueProps {
  readonly session: ConversationSession;
  readonly state: Pick<SessionState, "conversation" | "queue">;
}

export function Queue({ session, state: { conversation, queue } }: QueueProps): JSX.Element | null {
  const isWaiting = conversation.status === "waiting";
  const said = words.composer;
  const [error, setError] = useState<unknown>();
  if (queue.length === 0) return null;
  const trying = async (work: () => Promise<unknown>): Promise<void> => {
    setError(undefined);
    await work().catch(setError);
  };
  return (
    <section class="queue" aria-label={said.queue}>
      <h2 class="quiet">{isWaiting ? said.waiting : said.queue}</h2>
      <ol>
        {queue.map(({ turnId, input }) => (
          <li key={turnId} class="row">
            <span class="queued" dir="auto">
              {input}
            </span>
            <button type="button" class="plain" onClick={() => void trying(() => session.takeBack(turnId))}>
              {said.unqueue}
            </button>
          </li>
        ))}
      </ol>
      {isWaiting && (
        <button type="button" onClick={() => void trying(() => session.resumeQueue())}>
          {said.resume}
        </button>
      )}
      {error !== undefined && <Problem error={error} />}
    </section>
  );
}
