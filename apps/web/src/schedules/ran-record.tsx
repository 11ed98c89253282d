import type { ConversationId, Failure } from "@incipit/schema";
import type { JSX } from "preact";
import { Time } from "../controls/layout.tsx";
import { Markdown } from "../controls/markdown.tsx";
import { addressOf } from "../place/place.ts";
import { scheduleWords as said } from "../text/schedule-words.ts";

interface RanRecordProps {
  readonly at: string;
  /** `none` if no model was called. */
  readonly mark: "good" | "bad" | "open" | "none";
  readonly outcome: string;
  readonly notes: readonly string[];
  readonly tokens: number;
  readonly reply: string | null;
  readonly error: Failure | null;
  readonly conversationId: ConversationId | null;
}

export function RanRecord(props: RanRecordProps): JSX.Element {
  const { at, mark, outcome, notes, tokens, reply, error, conversationId } = props;
  const facts = [...notes, ...(tokens > 0 ? [said.tokens(tokens)] : [])];
  return (
    <li data-mark={mark}>
      <p>
        <b>{outcome}</b>{" "}
        <span class="quiet">
          <Time at={at} />
          {facts.map((fact) => ` · ${fact}`)}
        </span>
      </p>
      {error !== null && <p dir="auto">{error.message}</p>}
      {reply !== null && reply.trim() !== "" && <Markdown text={reply} />}
      {conversationId !== null && (
        <a href={addressOf({ view: "conversations", id: conversationId })}>{said.opensConversation}</a>
      )}
    </li>
  );
}
