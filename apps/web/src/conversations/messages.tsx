import type { Message } from "@incipit/schema";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { words } from "../text/words.ts";
import type { ConversationState } from "./conversation-feed.ts";
import { LiveTurnView } from "./live-turn-view.tsx";
import { MessageView } from "./message-view.tsx";

/** Messages that are drawn at once; what is above them is drawn when somebody asks for it. */
const shownAtOnce = 60;
/** So near to its end, a reader is taken to want to follow it. */
const nearPx = 80;

/** What was said, the newest at the end; who reads there follows, and who reads above stays where they are. */
export function Messages({ state }: { readonly state: ConversationState }): JSX.Element {
  const { messages, live, conversation } = state;
  const [shown, setShown] = useState(shownAtOnce);
  const box = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  // What a turn that runs has shown is drawn from its events.
  const stored = messages.filter(
    ({ turnId, role }) => turnId !== live?.turnId || (role === "user" && live.input === undefined),
  );
  const results = resultsOf(messages);
  const visible = stored.slice(-shown);
  useLayoutEffect(() => {
    const element = box.current;
    if (element !== null && isFollowing.current) element.scrollTop = element.scrollHeight;
  });
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const note = (): void => {
      isFollowing.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearPx;
    };
    element.addEventListener("scroll", note, { passive: true });
    return () => element.removeEventListener("scroll", note);
  }, []);
  const showMore = (): void => {
    const element = box.current;
    const fromEnd = element === null ? 0 : element.scrollHeight - element.scrollTop;
    setShown(shown + shownAtOnce);
    requestAnimationFrame(() => {
      if (element !== null) element.scrollTop = element.scrollHeight - fromEnd;
    });
  };
  return (
    <div class="messages" ref={box} role="log" aria-label={words.messages.label} tabIndex={0}>
      {visible.length < stored.length && (
        <button type="button" class="plain" onClick={showMore}>
          {words.messages.older}
        </button>
      )}
      {stored.length === 0 && live === undefined && <p class="quiet">{words.messages.empty}</p>}
      {visible.map((message) => (
        <MessageView key={message.id} message={message} results={results} conversationId={conversation.id} />
      ))}
      {live !== undefined && <LiveTurnView turn={live} conversationId={conversation.id} />}
    </div>
  );
}

export type ToolResult = Extract<Message["parts"][number], { readonly type: "tool-result" }>;

/** Results by the calls that they belong to: each is shown with its call. */
function resultsOf(messages: readonly Message[]): ReadonlyMap<string, ToolResult> {
  const results = new Map<string, ToolResult>();
  for (const { role, parts, turnId } of messages)
    if (role === "tool")
      for (const part of parts) if (part.type === "tool-result") results.set(`${turnId} ${part.toolCallId}`, part);
  return results;
}
