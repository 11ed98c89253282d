import type { AuditedStep, UnaskedCall } from "@incipit/schema";
import { clippedLine, escapeHiddenLine } from "@incipit/schema/text";
import { count, dollars, percent } from "./audit-text.ts";
import { differenceText } from "./reason-text.ts";

interface StepTextOptions {
  readonly number: number;
  readonly before: AuditedStep | undefined;
  readonly isSaid: boolean;
  readonly width: number;
  readonly isPriced?: boolean;
}

const indent = "         ";
const minBarWidth = 10;
/** Width without the bar; below it, the date is omitted. */
const narrow = 64;
const narrowPriced = 75;
const maxBarWidth = 40;
/** Smallest prefix that vendors cache: https://docs.claude.com/en/docs/build-with-claude/prompt-caching */
const minCachedTokens = 1_024;
const maxGrants = 300;

/** Formats a step as one line with a bar, followed by the causes of a cache break. */
export function stepText(step: AuditedStep, options: StepTextOptions): string {
  const { number, before, width } = options;
  const head = `${mark(step)} ${String(number).padStart(isNarrow(options) ? 3 : 4)}  ${timeOf(step, options)}  ${figures(step, options)}`;
  const barWidth = Math.min(maxBarWidth, Math.max(minBarWidth, width - head.length - 2));
  const line = `${head}  ${bar(step, barWidth)}`;
  const isNewModel = before !== undefined && before.model !== step.model;
  const notes = [
    ...(before === undefined || isNewModel ? [`model ${step.model}`] : []),
    ...(step.purpose === "compaction" ? ["compaction: summarizes the conversation"] : []),
    ...remarks(step, options),
    ...(step.unaskedCalls ?? []).map(autoApprovedText),
  ];
  const lines = [line.trimEnd(), ...notes.flatMap((note) => wrapped(escapeHiddenLine(note), { indent, width }))];
  return lines.map((text) => `${text}\n`).join("");
}

export function stepHeader(options: Pick<StepTextOptions, "isPriced" | "width">): string {
  const isShort = isNarrow(options);
  const number = "call".padStart(isShort ? 5 : 6);
  const cost = options.isPriced === true ? `  ${"cost".padStart(9)}` : "";
  const kept = options.isPriced === true && isShort ? "" : `  ${"".padEnd(10)}`;
  return `${number}  ${"time".padEnd(isShort ? 8 : 19)}  tokens in${cost}${kept}  the request`;
}

function mark({ verdict }: AuditedStep): string {
  switch (verdict) {
    case "broken":
      return "!";
    case "expected":
      return "·";
    case "first":
    case "held":
    case "unsent":
      return " ";
  }
}

function isNarrow({ width, isPriced = false }: Pick<StepTextOptions, "isPriced" | "width">): boolean {
  return width < (isPriced ? narrowPriced : narrow);
}

function timeOf(
  { startedAt }: AuditedStep,
  { before, ...room }: Pick<StepTextOptions, "before" | "isPriced" | "width">,
): string {
  const [day, time] = localSecond(startedAt);
  if (isNarrow(room)) return time;
  return before !== undefined && localSecond(before.startedAt)[0] === day ? `           ${time}` : `${day} ${time}`;
}

function localSecond(time: string): readonly [day: string, time: string] {
  const at = new Date(time);
  const two = (value: number): string => String(value).padStart(2, "0");
  return [
    `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`,
    [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(":"),
  ];
}

function figures(
  { usage, verdict, share, inputUsd }: AuditedStep,
  { width, isPriced = false }: Pick<StepTextOptions, "isPriced" | "width">,
): string {
  const tokens = usage?.inputTokens ?? null;
  const input = tokens === null ? "-" : count(tokens);
  const billed = inputUsd?.billed ?? null;
  const price = isPriced
    ? (billed === null ? "" : `${inputUsd?.isAtMost === true ? "≤" : ""}${dollars(billed)}`).padStart(9)
    : "";
  // Without room for both, the bar shows the cached share.
  if (isPriced && isNarrow({ width, isPriced })) return `${input.padStart(9)}  ${price}`;
  const kept = share === null || verdict === "unsent" ? "" : `kept ${percent(share)}`;
  return `${input.padStart(9)}  ${isPriced ? `${price}  ` : ""}${kept.padEnd(10)}`;
}

function bar({ prefix, usage, verdict }: AuditedStep, width: number): string {
  if (verdict === "unsent") return "";
  const { sizeBytes = 0, sharedBytes = 0 } = prefix ?? {};
  const part = (of: number, all: number): number =>
    all === 0 ? 0 : Math.min(width, Math.round((of / all) * width));
  const read = part(usage?.cacheReadTokens ?? 0, usage?.inputTokens ?? 0);
  const same = Math.max(read, part(sharedBytes, sizeBytes));
  return `${"█".repeat(read)}${"▒".repeat(same - read)}${"░".repeat(width - same)}`;
}

function remarks(step: AuditedStep, { isSaid, before }: StepTextOptions): readonly string[] {
  const { verdict, reason, prefix, warning, inputUsd } = step;
  if (verdict === "unsent") return ["nothing was sent"];
  if (verdict === "first") return ["the first request: nothing was sent before it"];
  if (verdict === "held") return missed(step, before);
  const where = prefix?.difference ?? null;
  const place =
    where === null
      ? ""
      : ` at byte ${count(where.bodyByte)} of the request (byte ${count(where.partByte)} of "${where.part}")`;
  const causes = prefix === null || prefix.changes.length === 0 ? "" : `: ${prefix.changes.join(", ")}`;
  const first = `${differenceText(reason)}${place}${causes}`;
  if (warning === null) return [`${first}, on request`];
  const { billed = null, unbroken = null } = inputUsd ?? {};
  const more =
    billed !== null && unbroken !== null && billed > unbroken
      ? `about ${dollars(billed - unbroken)} more`
      : undefined;
  if (isSaid) return [more === undefined ? first : `${first}; ${more}`];
  return [first, `${warning.message}.${more === undefined ? "" : ` It cost ${more}.`}`, `-> ${warning.hint}`];
}

function missed(step: AuditedStep, before: AuditedStep | undefined): readonly string[] {
  const { usage, prefix } = step;
  if (usage === null || prefix === null || usage.inputTokens === null || usage.cacheReadTokens === null) return [];
  const readable = (usage.inputTokens * prefix.sharedBytes) / Math.max(1, prefix.sizeBytes);
  if (readable < 2 * minCachedTokens || usage.cacheReadTokens >= readable / 2) return [];
  if (usage.cacheReadTokens === 0 && before !== undefined && !usedCache(before, step.model))
    return [
      "prefix intact, but the vendor reports no cache use, as in the previous request: this model may have no cache, or need marks (cache_marks)",
    ];
  return [
    `prefix intact, but the vendor read only ${count(usage.cacheReadTokens)} tokens from its cache: the rest expired, as most entries do after some minutes`,
  ];
}

function usedCache({ usage, model }: AuditedStep, ofModel: string): boolean {
  return model === ofModel && ((usage?.cacheReadTokens ?? 0) > 0 || (usage?.cacheWriteTokens ?? 0) > 0);
}

export function autoApprovedText({ name, allowedBy }: UnaskedCall): string {
  const tool = clippedLine(name, { maxCharacters: 64 });
  return `ran without asking: ${tool}, allowed by ${clippedLine(allowedBy, { maxCharacters: maxGrants })}`;
}

export function wrapped(
  text: string,
  { indent, width }: { readonly indent: string; readonly width: number },
): readonly string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(" ")) {
    if (line.length > indent.length && line.length + 1 + word.length > width) {
      lines.push(line);
      line = indent;
    }
    line += line.length > indent.length ? ` ${word}` : word;
  }
  return [...lines, line];
}
