import { type SendOptions, type SessionState, ConversationSession } from "@incipit/client/session";
import type { Conversation } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Button } from "../controls/fields.tsx";
import { Problem, useTrying } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { words } from "../text/words.ts";
import { Composer } from "./composer.tsx";
import { ConversationHeader } from "./conversation-header.tsx";
import { undoDeletion, useDeletions } from "./deletions.ts";
import { Messages } from "./messages.tsx";
import { markSeen } from "./seen.ts";
import { sendMessage, type SentMessage } from "./send-message.ts";
import { UnfoldedParts } from "./turn-part.tsx";

interface ViewProps {
  readonly id: string;
  readonly onChange: () => void;
}

export function ConversationView({ id, onChange }: ViewProps): JSX.Element {
  const { session, state, error } = useConversation(id);
  const [sent, setSent] = useState(0);
  const unfolded = useMemo(() => new Set<string>(), [id]);
  const [failure, setFailure] = useState<unknown>();
  const known = state?.conversation;
  const isPending = useDeletions().some((deletion) => deletion.id === id);
  useEffect(onChange, [known?.status, known?.title, known?.approvals.length, known?.questions.length]);
  useSeenHere(id, state);
  if (error !== undefined) return <Problem error={error} onRetry={() => location.reload()} />;
  if (state === undefined) return <p class="quiet">{words.state.loading}</p>;
  const trying = async (work: () => Promise<unknown>): Promise<void> => {
    setFailure(undefined);
    try {
      await work();
      onChange();
    } catch (cause) {
      setFailure(cause);
      throw cause;
    }
  };
  const take = (conversation: Conversation): void => {
    session?.setConversation(conversation);
    onChange();
  };
  const { conversation, live } = state;
  const isDeleted = isPending || conversation.deletedAt !== undefined;
  const undo = async (): Promise<void> => {
    await undoDeletion(id);
    take((await api.call(routes.getConversation, { params: { id } })).conversation);
  };
  const isRunning = live !== undefined && live.end === undefined;
  const say = (message: SentMessage, options?: SendOptions): Promise<void> => {
    setSent((count) => count + 1);
    return trying(() => sendMessage(id, message, options));
  };
  const stop = (): void => void trying(async () => session?.stop()).catch(() => undefined);
  return (
    <>
      <ConversationHeader conversation={conversation} onChange={take} state={state} />
      {session !== undefined && (
        <UnfoldedParts.Provider value={unfolded}>
          <Messages
            state={state}
            session={session}
            sent={sent}
            onTryAgain={({ turnId, input }) => {
              // A double click or a second tab sends one message.
              void say({ input }, { idempotencyKey: `try-again-${turnId}` }).catch(() => undefined);
            }}
          />
        </UnfoldedParts.Provider>
      )}
      <div class="foot">
        {state.isAway && (
          <p class="away" role="status">
            {words.state.away}
          </p>
        )}
        {session !== undefined && <Queue session={session} state={state} />}
        {failure !== undefined && <Problem error={failure} />}
        {isDeleted ? (
          <Deleted onUndo={() => void trying(undo).catch(() => undefined)} />
        ) : (
          <Composer
            place={id}
            cwd={conversation.cwd}
            isRunning={isRunning || conversation.status === "running"}
            onSend={say}
            onStop={stop}
          />
        )}
      </div>
    </>
  );
}

/** Keeps the draft of the message field. */
function Deleted({ onUndo }: { readonly onUndo: () => void }): JSX.Element {
  const said = words.deletion;
  return (
    <p class="row" role="status">
      {said.closed}
      <Button text={said.undo} onClick={onUndo} />
    </p>
  );
}

/** A running turn is read up to the newest event on leaving. */
function useSeenHere(id: string, state: SessionState | undefined): void {
  const newest = useRef<number>(undefined);
  newest.current = state?.seenSeq;
  const isRunning = state?.live !== undefined && state.live.end === undefined;
  const note = (): void => {
    if (newest.current !== undefined) markSeen(id, newest.current);
  };
  const settledSeq = isRunning ? undefined : state?.seenSeq;
  useEffect(() => {
    if (!document.hidden) note();
  }, [id, settledSeq]);
  useEffect(() => {
    document.addEventListener("visibilitychange", note);
    return () => {
      document.removeEventListener("visibilitychange", note);
      if (!document.hidden) note();
    };
  }, [id]);
}

interface OpenConversation {
  readonly session: ConversationSession | undefined;
  readonly state: SessionState | undefined;
  readonly error: unknown;
}

/** Renders at most once per frame. */
function useConversation(id: string): OpenConversation {
  const [open, setOpen] = useState<OpenConversation>({ session: undefined, state: undefined, error: undefined });
  useEffect(() => {
    const session = new ConversationSession({ client: api, id });
    let frame: number | undefined;
    session.subscribe(() => {
      frame ??= requestAnimationFrame(() => {
        frame = undefined;
        setOpen({ session, state: session.state, error: undefined });
      });
    });
    setOpen({ session, state: undefined, error: undefined });
    session.follow().catch((error: unknown) => {
      setOpen({ session, state: undefined, error });
    });
    return () => {
      session.close();
      if (frame !== undefined) cancelAnimationFrame(frame);
    };
  }, [id]);
  return open;
}

interface QueueProps {
  readonly session: ConversationSession;
  readonly state: Pick<SessionState, "conversation" | "queue">;
}

function Queue({ session, state: { conversation, queue } }: QueueProps): JSX.Element | null {
  const isWaiting = conversation.status === "waiting";
  const said = words.composer;
  const { trying, problem } = useTrying();
  if (queue.length === 0) return null;
  return (
    <section class="queue" aria-label={said.queue}>
      <h2 class="quiet">{isWaiting ? said.waiting : said.queue}</h2>
      <ol>
        {queue.map(({ turnId, input }) => (
          <li key={turnId} class="row">
            <span class="queued" dir="auto">
              {input}
            </span>
            <Button text={said.unqueue} class="plain" onClick={() => void trying(() => session.takeBack(turnId))} />
          </li>
        ))}
      </ol>
      {isWaiting && <Button text={said.resume} onClick={() => void trying(() => session.resumeQueue())} />}
      {problem}
    </section>
  );
}
