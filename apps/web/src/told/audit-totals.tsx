import type { AuditSummary } from "@incipit/schema";
import type { JSX } from "preact";
import { toldWords } from "../text/told-words.ts";

export function AuditTotals({ summary }: { readonly summary: AuditSummary }): JSX.Element {
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
