import { callCost, isFree, type AuditedStep, type Step, type StepRecord } from "@incipit/schema";
import type { JSX } from "preact";
import { amounts } from "../text/amounts.ts";
import { toldWords } from "../text/told-words.ts";
import { auditWords } from "./audit-words.ts";
import { CacheBar } from "./cache-bar.tsx";
import { figuresOf } from "./step-list.tsx";

export function StepFacts({ record }: { readonly record: StepRecord }): JSX.Element {
  const said = toldWords.step;
  const { step, audit, durationMs, redactions } = record;
  const { sentences, hint } = auditWords(audit);
  const left = redactions.reduce((total, { count }) => total + count, 0);
  const facts: readonly (readonly [string, string])[] = [
    [said.when, amounts.time(step.startedAt)],
    [said.model, step.model],
    [said.purpose, toldWords.list.purpose[step.purpose]],
    ...(durationMs === null ? [] : [[said.took, said.seconds(durationMs / 1_000)] as const]),
    ...(step.attempts > 1 ? [[said.tries, amounts.count(step.attempts)] as const] : []),
    [said.tokens, tokensOf(audit)],
    [said.cost, costOf(step, audit)],
    [said.ended, endOf(step)],
    ...(step.unaskedCalls ?? []).map(
      ({ name, allowedBy }) => [said.unasked, said.unaskedBy(name, allowedBy)] as const,
    ),
  ];
  return (
    <>
      <dl class="facts">
        {facts.map(([name, value], index) => [
          <dt key={`name-${index}`}>{name}</dt>,
          <dd key={index} dir="auto">
            {value}
          </dd>,
        ])}
        <dt>{said.cache}</dt>
        <dd>
          <CacheBar step={audit} largestBytes={audit.prefix?.sizeBytes ?? 0} />
          <span data-verdict={audit.verdict}>
            <strong>{toldWords.audit.mark[audit.verdict]}.</strong> {sentences.join(" ")}
          </span>
          {hint !== undefined && (
            <p>
              <strong>{toldWords.audit.whatToDo}</strong> {hint}
            </p>
          )}
        </dd>
      </dl>
      {left > 0 && <p class="quiet">{said.redacted(left)}</p>}
    </>
  );
}

function tokensOf(audit: AuditedStep): string {
  return figuresOf({ ...audit, inputUsd: null }).join(" · ");
}

function costOf({ prices, usage }: Step, { inputUsd }: AuditedStep): string {
  const said = toldWords.step;
  const cost = callCost(prices, usage);
  if (cost.kind === "unknown") return cost.missing === "price" ? said.noPrices : said.missing(cost.missing);
  if (usage?.costUsd === cost.usd) return said.charged(cost.usd);
  if (prices !== null && isFree(prices)) return said.free;
  const input = inputUsd?.billed ?? 0;
  return said.costOf(input, cost.usd - input, cost.isAtMost);
}

function endOf({ error, finishReason, endedAt }: Step): string {
  if (error !== null) return error.message;
  return endedAt === null ? toldWords.step.notEnded : (finishReason ?? "");
}
