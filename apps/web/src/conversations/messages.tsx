import type { ConversationSession, SessionState } from "@incipit/client/session";
import type { Message } from "@incipit/schema";
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useCommands } from "../controls/commands.ts";
import { Button } from "../controls/fields.tsx";
import { Problem } from "../controls/problem.tsx";
import { words } from "../text/words.ts";
import { endsOf, failedTurn, type FailedTurn } from "./failed-turn.ts";
import { fileRemoval, FileRemovalContext } from "./file-removal.tsx";
import { LiveTurnView } from "./live-turn-view.tsx";
import { MessageView } from "./message-view.tsx";
import { useMessageWindow } from "./use-message-window.ts";

interface MessagesProps {
  readonly state: SessionState;
  readonly session: ConversationSession;
  /** Incremented to scroll to the user's message. */
  readonly sent: number;
  readonly onTryAgain: (turn: FailedTurn) => void;
}

/** Follows new messages only if scrolled to the end. */
export function Messages({ state, session, sent, onTryAgain }: MessagesProps): JSX.Element {
  const { messages, live, conversation, hasOlder } = state;
  const said = words.messages;
  const isStarted = live?.input !== undefined;
  // Messages of a running turn are drawn from its events.
  const stored = useMemo(
    () =>
      messages.filter(
        ({ turnId, role }) => role !== "tool" && (turnId !== live?.turnId || (role === "user" && !isStarted)),
      ),
    [messages, live?.turnId, isStarted],
  );
  const results = useMemo(() => resultsOf(messages), [messages]);
  const ends = useMemo(() => endsOf(messages), [messages]);
  const reasoned = useMemo(() => reasonedBefore(messages), [messages]);
  const called = useMemo(() => turnsWithCalls(messages), [messages]);
  const [focusedId, setFocusedId] = useState<string>();
  const [reading, setReading] = useState<{ readonly isReading: boolean; readonly error?: unknown }>({
    isReading: false,
  });
  const isReading = useRef(false);
  const goesOn = useRef(false);
  const readOlder = (): void => {
    if (isReading.current) return;
    isReading.current = true;
    setReading({ isReading: true });
    session
      .readOlder()
      .then(
        () => setReading({ isReading: false }),
        (error: unknown) => setReading({ isReading: false, error }),
      )
      .finally(() => (isReading.current = false));
  };
  const at = stored.findIndex(({ id }) => id === focusedId);
  const { box, list, runs, isAtEnd, toEnd } = useMessageWindow(stored, {
    // Neighbours stay drawn, so that they can receive the focus.
    kept: at === -1 ? [] : [stored[at - 1], stored[at], stored[at + 1]].flatMap((message) => message?.id ?? []),
    onNearBeginning: () => {
      if (hasOlder && reading.error === undefined) readOlder();
    },
  });
  useEffect(() => {
    if (sent > 0) toEnd();
  }, [sent]);
  const ended = useEnded(live);
  const move = (by: number): void => {
    const articles = [...(list.current?.querySelectorAll("article") ?? [])];
    const from = articles.findIndex((article) => article.contains(document.activeElement));
    const seenFrom = box.current?.getBoundingClientRect().top ?? 0;
    const to = from === -1 ? articles.findIndex((one) => one.getBoundingClientRect().bottom > seenFrom) : from + by;
    articles[to]?.focus();
    goesOn.current = to < 0 && hasOlder;
    if (goesOn.current) readOlder();
  };
  useCommands([
    { id: "next-message", label: words.commands.nextMessage, key: "j", run: () => move(1) },
    { id: "previous-message", label: words.commands.previousMessage, key: "k", run: () => move(-1) },
    { id: "to-newest", label: said.toNewest, key: "e", run: toEnd },
  ]);
  useEffect(() => {
    if (goesOn.current) move(-1);
  }, [messages]);
  const failed = failedTurn(state);
  const again = useMemo(
    () =>
      failed && {
        hasRunTools: failed.hasRunTools,
        run: () => {
          box.current?.focus();
          onTryAgain(failed);
        },
      },
    [failed?.turnId, failed?.hasRunTools, messages],
  );
  const removal = useMemo(
    () => fileRemoval({ conversation, messages }, (file) => session.removeFile(file)),
    [conversation.id, conversation.status, messages, session],
  );
  const count = stored.length;
  const setSize = hasOlder ? -1 : count + (live === undefined ? 0 : isStarted ? 2 : 1);
  return (
    <FileRemovalContext.Provider value={removal}>
      <div class="reading">
        <div class="messages" ref={box} role="region" aria-label={said.label} tabIndex={0}>
          <div class="thread" ref={list}>
            {hasOlder && (
              <Button
                text={reading.isReading ? said.readingOlder : said.older}
                class="plain"
                disabled={reading.isReading}
                onClick={readOlder}
              />
            )}
            {reading.error !== undefined && <Problem error={reading.error} onRetry={readOlder} />}
            {count === 0 && live === undefined && <p class="quiet">{said.empty}</p>}
            <div
              role="feed"
              aria-label={said.label}
              aria-busy={reading.isReading}
              onKeyDown={(event) => {
                if (!(event.target instanceof HTMLElement) || event.target.tagName !== "ARTICLE") return;
                if (event.key !== "PageDown" && event.key !== "PageUp") return;
                event.preventDefault();
                move(event.key === "PageDown" ? 1 : -1);
              }}
              onFocusIn={({ target }) => {
                const article = target instanceof Element ? target.closest<HTMLElement>("[data-message]") : null;
                setFocusedId(article?.dataset["message"]);
              }}
            >
              {runs.map((run) => {
                if (run.kind === "gap") return <div key={run.key} style={{ blockSize: `${run.heightPx}px` }} />;
                const message = stored[run.index];
                return (
                  message !== undefined && (
                    <MessageView
                      key={message.id}
                      message={message}
                      results={results}
                      conversationId={conversation.id}
                      place={run.index + 1}
                      setSize={setSize}
                      isReachable={run.index === (at === -1 ? count - 1 : at)}
                      end={ends.get(message.id)}
                      again={message.turnId === failed?.turnId ? again : undefined}
                      hasCalled={message.turnId !== live?.turnId && called.has(message.turnId)}
                      reasoningBefore={reasoned.get(message.id) ?? 0}
                    />
                  )
                );
              })}
              {live !== undefined && (
                <LiveTurnView turn={live} session={session} place={count + 1} setSize={setSize} again={again} />
              )}
            </div>
          </div>
        </div>
        {!isAtEnd && (
          <Button
            text={said.toNewest}
            class="to-newest"
            onClick={() => {
              toEnd();
              box.current?.focus();
            }}
          />
        )}
        <p class="unseen" role="status">
          {ended ? said.replyEnded : ""}
        </p>
      </div>
    </FileRemovalContext.Provider>
  );
}

function useEnded(live: SessionState["live"]): boolean {
  const [hasEnded, setHasEnded] = useState(false);
  const state = live === undefined ? "none" : live.end === undefined ? "running" : "ended";
  useEffect(() => {
    if (state !== "none") setHasEnded(state === "ended");
  }, [state]);
  return hasEnded;
}

export type ToolResult = Extract<Message["parts"][number], { readonly type: "tool-result" }> & {
  readonly allowedBy: string | undefined;
};

function resultsOf(messages: readonly Message[]): ReadonlyMap<string, ToolResult> {
  const results = new Map<string, ToolResult>();
  for (const { role, parts, turnId, unaskedCalls } of messages) {
    if (role !== "tool") continue;
    const unasked = new Map(unaskedCalls?.map(({ toolCallId, allowedBy }) => [toolCallId, allowedBy]));
    for (const part of parts)
      if (part.type === "tool-result")
        results.set(`${turnId} ${part.toolCallId}`, { ...part, allowedBy: unasked.get(part.toolCallId) });
  }
  return results;
}

function turnsWithCalls(messages: readonly Message[]): ReadonlySet<string> {
  return new Set(
    messages.flatMap(({ turnId, parts }) => (parts.some(({ type }) => type === "tool-call") ? turnId : [])),
  );
}

function reasonedBefore(messages: readonly Message[]): ReadonlyMap<string, number> {
  const before = new Map<string, number>();
  const ofTurn = new Map<string, number>();
  for (const { id, turnId, parts } of messages) {
    const count = ofTurn.get(turnId) ?? 0;
    before.set(id, count);
    ofTurn.set(turnId, count + parts.filter(({ type }) => type === "reasoning").length);
  }
  return before;
}
