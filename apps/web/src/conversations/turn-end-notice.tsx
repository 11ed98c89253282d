import { describeCut, type ShortTurnEnd } from "@incipit/schema";
import type { JSX } from "preact";
import { Button } from "../controls/fields.tsx";
import { words } from "../text/words.ts";
import { RefusedFiles } from "./file-removal.tsx";

export interface TryAgain {
  /** Whether the turn ran tools, which a retry may run again. */
  readonly hasRunTools: boolean;
  readonly run: () => void;
}

interface TurnEndNoticeProps {
  readonly end: ShortTurnEnd;
  readonly turnId: string;
  /** Ended while visible, to be announced. */
  readonly isNew?: boolean;
  /** `undefined` if it cannot be retried here. */
  readonly again: TryAgain | undefined;
}

export function TurnEndNotice({ end, turnId, isNew = false, again }: TurnEndNoticeProps): JSX.Element {
  const said = words.messages;
  const isFailed = end.status === "failed";
  return (
    <div class={isFailed ? "turn-end problem" : "turn-end"}>
      <p role={isNew ? "alert" : undefined}>{endText(end)}</p>
      <RefusedFiles turnId={turnId} />
      {again !== undefined && (
        <p class="row">
          <Button text={words.state.retry} onClick={again.run} />
          <span class="quiet">{again.hasRunTools ? said.againWithTools : said.again}</span>
        </p>
      )}
    </div>
  );
}

function endText({ status, error, cutReason, cutExplanation }: ShortTurnEnd): string {
  if (cutReason !== undefined) return `${describeCut(cutReason, cutExplanation)}.`;
  if (status === "cancelled") return words.messages.cancelled;
  if (status === "interrupted") return words.messages.interrupted;
  return error === undefined ? words.messages.failed : `${words.messages.failed}: ${error.message}`;
}
