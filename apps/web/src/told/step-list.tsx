import type { AuditedStep, AuditSummary, ConversationId } from "@incipit/schema";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Button, Paragraph } from "../controls/fields.tsx";
import { Time } from "../controls/layout.tsx";
import { addressOf } from "../place/place.ts";
import { toldWords } from "../text/told-words.ts";
import { auditWords } from "./audit-words.ts";
import { CacheBar } from "./cache-bar.tsx";

const shownAtOnce = 100;

interface StepListProps {
  readonly conversationId: ConversationId;
  /** Oldest first. */
  readonly steps: readonly AuditedStep[];
  readonly openId: string | undefined;
  readonly summary: AuditSummary;
}

export function StepList({ conversationId, steps, openId, summary }: StepListProps): JSX.Element {
  const said = toldWords.list;
  const [shown, setShown] = useState(shownAtOnce);
  const largestBytes = Math.max(0, ...steps.slice(-shown).map(({ prefix }) => prefix?.sizeBytes ?? 0));
  const hidden = Math.max(0, steps.length - shown);
  return (
    <nav class="steps" aria-label={said.label}>
      <h2>{said.label}</h2>
      <ul class="told-legend" aria-label={said.legend}>
        {(["read", "same", "fresh"] as const).map((part) => (
          <li key={part}>
            <span class="swatch" data-cache={part} aria-hidden="true" />
            {said[part]}
          </li>
        ))}
      </ul>
      <AuditTotals summary={summary} />
      <p class="quiet">{said.order}</p>
      <ol reversed start={steps.length}>
        {steps
          .slice(-shown)
          .toReversed()
          .map((step, index) => (
            <li key={step.id}>
              <a
                href={addressOf({ view: "told", id: conversationId, stepId: step.id })}
                aria-current={step.id === openId ? "true" : undefined}
              >
                <span class="step-name">{said.step(steps.length - index)}</span> <Time at={step.startedAt} />
              </a>
              <StepLine step={step} largestBytes={largestBytes} />
            </li>
          ))}
      </ol>
      {hidden > 0 && (
        <Button
          text={said.older(Math.min(hidden, shownAtOnce))}
          class="plain"
          onClick={() => setShown(shown + shownAtOnce)}
        />
      )}
    </nav>
  );
}

function StepLine({
  step,
  largestBytes,
}: {
  readonly step: AuditedStep;
  readonly largestBytes: number;
}): JSX.Element {
  const { verdict, model, purpose } = step;
  const { sentences, hint } = auditWords(step);
  return (
    <>
      <Paragraph class="quiet">
        {[model, ...(purpose === "compaction" ? [toldWords.list.purpose.compaction] : []), ...figuresOf(step)].join(
          " · ",
        )}
      </Paragraph>
      <CacheBar step={step} largestBytes={largestBytes} />
      <p class="verdict quiet" data-verdict={verdict}>
        <strong>{toldWords.audit.mark[verdict]}.</strong> {sentences.join(" ")}
      </p>
      {hint !== undefined && (
        <p class="quiet">
          <strong>{toldWords.audit.whatToDo}</strong> {hint}
        </p>
      )}
    </>
  );
}

export function figuresOf({ usage, inputUsd }: Pick<AuditedStep, "usage" | "inputUsd">): readonly string[] {
  const said = toldWords.list;
  const figures: string[] = [];
  if (usage?.inputTokens != null) figures.push(said.input(usage.inputTokens));
  if (usage?.cacheReadTokens != null) figures.push(said.cached(usage.cacheReadTokens));
  if (usage?.outputTokens != null) figures.push(said.output(usage.outputTokens));
  if (figures.length === 0) figures.push(said.noUsage);
  if (inputUsd !== null)
    figures.push(inputUsd.isAtMost === true ? said.costAtMost(inputUsd.billed) : said.cost(inputUsd.billed));
  return figures;
}

function AuditTotals({ summary }: { readonly summary: AuditSummary }): JSX.Element {
  const said = toldWords.totals;
  const { steps, held, broken, expected, tokens, inputUsd, unreportedSteps, pricedSteps } = summary;
  const lines = [
    said.calls(steps, { held, broken, expected }),
    ...(tokens.input === null ? [] : [said.tokens(tokens.input, tokens.cacheRead)]),
    ...(unreportedSteps > 0 && tokens.input !== null ? [said.unreported(unreportedSteps)] : []),
    ...(inputUsd === null
      ? []
      : [(inputUsd.isAtMost === true ? said.costAtMost : said.cost)(inputUsd.billed, inputUsd.withoutCache)]),
    ...(inputUsd !== null && pricedSteps < steps ? [said.priced(pricedSteps)] : []),
    ...(inputUsd !== null && inputUsd.wasted > 0 ? [said.wasted(inputUsd.wasted)] : []),
  ];
  return <p class="totals">{lines.join(" ")}</p>;
}
