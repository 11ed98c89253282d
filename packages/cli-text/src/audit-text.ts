import type { AuditSummary } from "@incipit/schema";

/** Rounds down, so that only 1 is "100 %". */
export function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}

export function count(value: number): string {
  return value.toLocaleString("en-US");
}

export function dollars(value: number): string {
  return `$${value === 0 || value >= 1 ? value.toFixed(2) : value.toPrecision(2)}`;
}

export function summaryText({
  steps,
  held,
  expected,
  broken,
  share,
  tokens,
  inputUsd,
  ...summary
}: AuditSummary): string {
  const parts = [
    `${count(held)} held`,
    ...(broken === 0 ? [] : [`${count(broken)} broken`]),
    ...(expected === 0 ? [] : [`${count(expected)} broke as asked for`]),
  ];
  const lines = [`${count(steps)} model ${steps === 1 ? "call" : "calls"}: ${parts.join(", ")}`];
  if (share !== null) lines.push(`${percent(share)} of what had been sent was sent again as it was`);
  if (tokens.input === null) lines.push("The vendor reported no tokens");
  else {
    const cache = [
      tokens.cacheRead === null
        ? "reads from a cache were not reported"
        : `${count(tokens.cacheRead)} read from a cache`,
      ...(tokens.cacheWrite === null ? [] : [`${count(tokens.cacheWrite)} written to one`]),
    ];
    const unreported =
      summary.unreportedSteps === 0 ? "" : ` (${count(summary.unreportedSteps)} calls without a report)`;
    lines.push(`Input: ${count(tokens.input)} tokens, ${cache.join(", ")}${unreported}`);
  }
  if (inputUsd !== null) {
    const { billed, isAtMost = false, withoutCache, wasted } = inputUsd;
    lines.push(
      `Cost of the input: ${isAtMost ? "≤ " : ""}${dollars(billed)}, without any cache ${dollars(withoutCache)}`,
    );
    if (wasted !== 0) lines.push(`Broken prefixes cost about ${dollars(wasted)} of it`);
  }
  return lines.map((line) => `${line}\n`).join("");
}
