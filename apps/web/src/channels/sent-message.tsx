import type { ChannelMessageState, ChannelMessageView } from "@incipit/schema";
import type { JSX } from "preact";
import { amounts } from "../text/amounts.ts";
import { channelWords as said } from "../text/channel-words.ts";

interface SentMessageProps {
  readonly message: ChannelMessageView;
  readonly onRetry: () => void;
}

const marks = {
  waiting: "open",
  sending: "open",
  sent: "good",
  failed: "bad",
  unknown: "bad",
} as const satisfies Record<ChannelMessageState, string>;

/** A message with failed or unknown delivery can be resent once. */
export function SentMessage({ message, onRetry }: SentMessageProps): JSX.Element {
  const { chat, kind, text, state, why, createdAt, attempts, retriedAs } = message;
  const isOver = state === "failed" || state === "unknown";
  return (
    <li data-mark={marks[state]}>
      <p>
        <b>{said.messageStates[state]}</b>{" "}
        <span class="quiet">
          {said.to(chat)} · <time dateTime={createdAt}>{amounts.time(createdAt)}</time>
          {attempts > 1 && ` · ${said.tries(attempts)}`}
        </span>
      </p>
      {why !== null && <p dir="auto">{why}</p>}
      <p class="task" dir="auto">
        {kind === "file" ? said.file(text) : text}
      </p>
      {isOver && retriedAs !== null && <p class="quiet">{said.retried}</p>}
      {isOver && retriedAs === null && (
        <button type="button" onClick={onRetry}>
          {said.retry}
        </button>
      )}
    </li>
  );
}
