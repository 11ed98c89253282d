import type { HeartbeatWake } from "@incipit/schema";
import type { JSX } from "preact";
import { scheduleWords as said } from "../text/schedule-words.ts";
import { RanRecord } from "./ran-record.tsx";

const marks = {
  quiet: "good",
  alert: "bad",
  failed: "bad",
  cancelled: "bad",
  interrupted: "bad",
  empty: "none",
  busy: "none",
  budget: "none",
  missed: "none",
} as const satisfies Record<Exclude<HeartbeatWake["outcome"], null>, string>;

export function WakeRecord({ wake }: { readonly wake: HeartbeatWake }): JSX.Element {
  const { dueAt, outcome, repeated, tokens, reply, error, conversationId } = wake;
  return (
    <RanRecord
      at={dueAt}
      mark={outcome === null ? "open" : marks[outcome]}
      outcome={outcome === null ? said.underWay : said.outcomes[outcome]}
      notes={repeated ? [said.heartbeat.repeated] : []}
      tokens={tokens}
      // Implied by the outcome.
      reply={outcome === "quiet" ? null : reply}
      error={error}
      conversationId={conversationId}
    />
  );
}
