import type { Explain, StepPrefix } from "@incipit/schema";
import type { SystemPromptService } from "@incipit/service-contract";
import type { BodyComparison } from "./compare-bodies.ts";

const maxChanges = 20;

export interface ChangedPrompt {
  readonly conversationId: string;
  readonly before: Explain | undefined;
  readonly partText: BodyComparison["partText"];
}

export async function promptChanges(
  service: SystemPromptService,
  { conversationId, before, partText }: ChangedPrompt,
): Promise<Pick<StepPrefix, "changes" | "promptReason">> {
  const { systemPrompt, reason } = await service.describe(conversationId);
  const after = await service.explain(conversationId, { areTokensEstimated: true });
  if (after === null || systemPrompt === null) return { changes: [], promptReason: reason };
  const offset = partText === undefined ? undefined : offsetInText(partText, systemPrompt);
  const first = offset === undefined ? [] : nameAt(after.ranges, offset);
  const changes = before === undefined ? first : named(first, changedSources(before, after));
  return { changes: changes.slice(0, maxChanges), promptReason: reason };
}

/**
 * The part at the first difference comes first; omits parts that only moved, such as template text after a changed
 * variable.
 */
function named(first: readonly string[], changed: readonly string[]): readonly string[] {
  const isChanged = (name: string): boolean => changed.includes(name) || name.startsWith("segment ");
  const all = [...first.filter(isChanged), ...changed];
  return all.length === 0 ? first : [...new Set(all)];
}

const template = "template";
const profileAppend = "append of the profile";

type Range = Explain["ranges"][number];

function nameAt(ranges: readonly Range[], offset: number): readonly string[] {
  const index = ranges.findIndex(({ start, end }) => offset >= start && offset < end);
  const range = ranges[index] ?? ranges.at(-1);
  if (range === undefined) return [];
  const name = nameOf(range);
  // A shortened value: the first differing character belongs to the next range.
  const before = ranges[index - 1];
  if (name === template && before !== undefined && offset === range.start) return [nameOf(before)];
  return [name];
}

function nameOf({ origin, name, tier }: Range): string {
  if (origin === "variable") return `[${name ?? "?"}]`;
  if (origin === "segment") return `segment ${name ?? "?"}`;
  if (origin !== "append") return template;
  return tier === "profile-append" ? profileAppend : "append_system_prompt";
}

function changedSources(before: Explain, after: Explain): readonly string[] {
  const valuesBefore = new Map(before.variables.map((variable) => [`${variable.type}:${variable.name}`, variable]));
  const names: string[] = [];
  for (const { type, name, kind, value } of after.variables) {
    const known = valuesBefore.get(`${type}:${name}`);
    if (known !== undefined && (known.kind !== kind || known.value !== value)) names.push(`[${type}:${name}]`);
  }
  const segmentsBefore = new Map(before.segments?.map(({ id, kind }) => [id, kind]));
  for (const { id, kind } of after.segments ?? []) if (segmentsBefore.get(id) !== kind) names.push(`segment ${id}`);
  const won = (explain: Explain): string | null | undefined => explain.tiers.find((tier) => tier.won)?.template;
  if (before.profileAppend !== after.profileAppend) names.unshift(profileAppend);
  return won(before) === won(after) ? names : [template, ...names];
}

function offsetInText(
  { text, offset }: NonNullable<BodyComparison["partText"]>,
  prompt: string,
): number | undefined {
  const start = text.indexOf(JSON.stringify(prompt).slice(1, -1));
  if (prompt === "" || start === -1 || offset < start) return undefined;
  let units = 0;
  for (let at = start; at < offset; units += 1) {
    const isEscape = text[at] === "\\";
    const length = !isEscape ? 1 : text[at + 1] === "u" ? 6 : 2;
    if (at + length > offset) break;
    at += length;
  }
  return units;
}
