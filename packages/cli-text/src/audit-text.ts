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
    `${count(held)} with an intact prefix`,
    ...(broken === 0 ? [] : [`${count(broken)} ${broken === 1 ? "cache break" : "cache breaks"}`]),
    ...(expected === 0 ? [] : [`${count(expected)} changed on request`]),
  ];
  const lines = [`${count(steps)} model ${steps === 1 ? "call" : "calls"}: ${parts.join(", ")}`];
  if (share !== null) lines.push(`${percent(share)} of the sent bytes were reused`);
  if (tokens.input === null) lines.push("The vendor reported no tokens");
  else {
    const cache = [
      tokens.cacheRead === null
        ? "cache reads were not reported"
        : `${count(tokens.cacheRead)} read from the cache`,
      ...(tokens.cacheWrite === null ? [] : [`${count(tokens.cacheWrite)} written to it`]),
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
    if (wasted !== 0) lines.push(`Cache breaks cost about ${dollars(wasted)} of it`);
  }
  return lines.map((line) => `${line}\n`).join("");
}
