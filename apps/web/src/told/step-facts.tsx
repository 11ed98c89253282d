import { callCost, isFree, type AuditedStep, type Step, type StepRecord } from "@incipit/schema";
import type { JSX } from "preact";
import { Facts, type Fact } from "../controls/layout.tsx";
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
  const verdict = (
    <>
      <CacheBar step={audit} largestBytes={audit.prefix?.sizeBytes ?? 0} />
      <span data-verdict={audit.verdict}>
        <strong>{toldWords.audit.mark[audit.verdict]}.</strong> {sentences.join(" ")}
      </span>
      {hint !== undefined && (
        <p>
          <strong>{toldWords.audit.whatToDo}</strong> {hint}
        </p>
      )}
    </>
  );
  return (
    <>
      <Facts
        facts={[
          [said.when, amounts.time(step.startedAt)],
          [said.model, step.model],
          [said.purpose, toldWords.list.purpose[step.purpose]],
          [said.took, durationMs === null ? null : said.seconds(durationMs / 1_000)],
          [said.tries, step.attempts > 1 ? amounts.count(step.attempts) : null],
          [said.tokens, figuresOf({ ...audit, inputUsd: null }).join(" · ")],
          [said.cost, costOf(step, audit)],
          [said.ended, endOf(step)],
          ...(step.unaskedCalls ?? []).map(({ name, allowedBy }): Fact => [
            said.unasked,
            said.unaskedBy(name, allowedBy),
          ]),
          [said.cache, verdict],
        ]}
      />
      {left > 0 && <p class="quiet">{said.redacted(left)}</p>}
    </>
  );
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
