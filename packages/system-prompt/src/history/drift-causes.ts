import type { DriftCause, Explain, TextDiff } from "@incipit/schema";
import { isAbsolute } from "node:path";
import type { ExplainFacts } from "../stored/explain-facts.ts";

type Range = Explain["ranges"][number];
type Variable = Explain["variables"][number];
type Hunk = TextDiff["hunks"][number];

/** Short and not secret, so its value is shown. */
const folderVariable = "prompt:cwd";

export interface ExplainedText {
  readonly text: string;
  readonly explain: ExplainFacts;
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * Reports the changed parts among those that a hunk's changed characters come from. If characters alone are
 * ambiguous, as when a value grows by the text after it, all changed parts are reported.
 */
export class DriftCauses {
  readonly #kept: Side;
  readonly #now: Side;
  readonly #changes: Changes;

  constructor(kept: ExplainedText, now: ExplainedText) {
    this.#kept = new Side(kept);
    this.#now = new Side(now);
    this.#changes = new Changes(kept, now);
  }

  of(hunk: Hunk): DriftCause[] {
    const causes = new Map<string, DriftCause>();
    const add = (cause: DriftCause | undefined): void => {
      if (cause !== undefined) causes.set(`${cause.kind} ${cause.name}`, cause);
    };
    const look = (blocks: readonly { readonly kept: Stretch; readonly now: Stretch }[]): void => {
      for (const { kept, now } of blocks) {
        for (const range of this.#kept.rangesIn(kept)) add(this.#changes.of(range, this.#kept.explain));
        for (const range of this.#now.rangesIn(now)) add(this.#changes.of(range, this.#now.explain));
      }
    };
    const blocks = this.#blocksOf(hunk);
    look(blocks.map((block) => this.#trimmed(block)));
    if (causes.size === 0) look(blocks);
    if (causes.size === 0) for (const cause of this.#changes.all()) add(cause);
    if (causes.size === 0)
      add({ kind: "unknown", name: "", detail: "what was kept does not say where it came from" });
    return [...causes.values()];
  }

  #blocksOf({ oldStart, oldLines, newStart, newLines, lines }: Hunk): { kept: Stretch; now: Stretch }[] {
    let keptLine = oldLines === 0 ? oldStart + 1 : oldStart;
    let nowLine = newLines === 0 ? newStart + 1 : newStart;
    const blocks: { kept: Stretch; now: Stretch }[] = [];
    let from: { readonly kept: number; readonly now: number } | undefined;
    const close = (): void => {
      if (from === undefined) return;
      const kept = { start: this.#kept.lineStart(from.kept), end: this.#kept.lineStart(keptLine) };
      blocks.push({ kept, now: { start: this.#now.lineStart(from.now), end: this.#now.lineStart(nowLine) } });
      from = undefined;
    };
    for (const line of lines) {
      if (line.startsWith("\\")) continue;
      if (line.startsWith(" ")) {
        close();
        keptLine += 1;
        nowLine += 1;
        continue;
      }
      from ??= { kept: keptLine, now: nowLine };
      if (line.startsWith("-")) keptLine += 1;
      else nowLine += 1;
    }
    close();
    return blocks;
  }

  #trimmed({ kept, now }: { readonly kept: Stretch; readonly now: Stretch }): { kept: Stretch; now: Stretch } {
    const [a, b] = [this.#kept.text, this.#now.text];
    const shorter = Math.min(kept.end - kept.start, now.end - now.start);
    let before = 0;
    while (before < shorter && a[kept.start + before] === b[now.start + before]) before += 1;
    let after = 0;
    while (after < shorter - before && a[kept.end - 1 - after] === b[now.end - 1 - after]) after += 1;
    return {
      kept: { start: kept.start + before, end: kept.end - after },
      now: { start: now.start + before, end: now.end - after },
    };
  }
}

class Side {
  readonly text: string;
  readonly explain: ExplainFacts;
  readonly #lineStarts: number[] = [0];

  constructor({ text, explain }: ExplainedText) {
    this.text = text;
    this.explain = explain;
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) this.#lineStarts.push(at + 1);
  }

  /** Counted from 1; the end of the text after the last one. */
  lineStart(line: number): number {
    return this.#lineStarts[line - 1] ?? this.text.length;
  }

  /** Excludes separators, which depend on their neighbors. */
  rangesIn({ start, end }: Stretch): readonly Range[] {
    const { ranges } = this.explain;
    const found: Range[] = [];
    for (let index = firstEndingAfter(ranges, start); index < ranges.length; index += 1) {
      const range = ranges[index];
      if (range === undefined || range.start >= end) break;
      if (range.origin !== "separator") found.push(range);
    }
    return found;
  }
}

/** Ranges are contiguous and in order. */
function firstEndingAfter(ranges: readonly Range[], position: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle]?.end ?? 0) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Independent of their place in the text. */
class Changes {
  readonly #variables = new Map<string, DriftCause>();
  readonly #presence = new Map<string, string>();
  readonly #segments = new Map<string, DriftCause>();
  readonly #template: DriftCause | undefined;
  readonly #append: DriftCause | undefined;
  readonly #given: DriftCause | undefined;
  readonly #profileAppend: DriftCause | undefined;

  constructor(kept: ExplainedText, now: ExplainedText) {
    const before = new Map(kept.explain.variables.map((variable) => [nameOf(variable), variable]));
    for (const variable of now.explain.variables) {
      const name = nameOf(variable);
      const known = before.get(name);
      if (known === undefined || (known.kind === variable.kind && known.value === variable.value)) continue;
      const detail = changeOf(known, variable);
      this.#variables.set(name, { kind: "variable", name, detail });
      if (known.kind !== variable.kind) this.#presence.set(name, detail);
    }
    this.#template = templateChange(kept.explain, now.explain);
    this.#given = givenChange(kept.explain, now.explain);
    if (kept.explain.append !== now.explain.append)
      this.#append = { kind: "append", name: "append_system_prompt", detail: "its template is another one" };
    if (kept.explain.profileAppend !== now.explain.profileAppend)
      this.#profileAppend = {
        kind: "append",
        name: "append of the profile",
        detail: "its template is another one",
      };
    const [segmentsBefore, segmentsNow] = [segmentTexts(kept), segmentTexts(now)];
    for (const name of new Set([...segmentsBefore.keys(), ...segmentsNow.keys()])) {
      const [was, is] = [segmentsBefore.get(name), segmentsNow.get(name)];
      if (was === is) continue;
      const why = now.explain.segments.find(({ id, kind }) => id === name && kind !== "text");
      const gone = why === undefined ? "no extension adds it" : (why.detail ?? "it has nothing to add");
      const detail = is === undefined ? `is gone: ${gone}` : was === undefined ? "is new" : "has another text";
      this.#segments.set(name, { kind: "segment", name, detail });
    }
  }

  of(range: Range, explain: ExplainFacts): DriftCause | undefined {
    const { origin, name } = range;
    if (origin === "segment") return this.#segments.get(name ?? "");
    if (origin === "request" && this.#given !== undefined) return this.#given;
    const ownValue = origin === "variable" ? this.#variables.get(name ?? "") : undefined;
    return ownValue ?? this.#branchOf(range, explain) ?? this.#templateOf(range);
  }

  #templateOf({ tier }: Range): DriftCause | undefined {
    if (tier === "append") return this.#append;
    return tier === "profile-append" ? this.#profileAppend : this.#template;
  }

  *all(): Generator<DriftCause> {
    if (this.#template !== undefined) yield this.#template;
    if (this.#given !== undefined) yield this.#given;
    if (this.#profileAppend !== undefined) yield this.#profileAppend;
    if (this.#append !== undefined) yield this.#append;
    yield* this.#variables.values();
    yield* this.#segments.values();
  }

  #branchOf({ branch }: Range, { branches }: ExplainFacts): DriftCause | undefined {
    for (let index = branch; index !== null; index = branches[index]?.parent ?? null) {
      const found = branches[index];
      const detail = found === undefined ? undefined : this.#presence.get(found.variable);
      if (found !== undefined && detail !== undefined)
        return { kind: "branch", name: found.condition, detail: `[${found.variable}] ${detail}` };
    }
    return undefined;
  }
}

function templateChange(kept: ExplainFacts, now: ExplainFacts): DriftCause | undefined {
  const was = kept.tiers.find(({ won }) => won);
  const is = now.tiers.find(({ won }) => won);
  if (was?.template === is?.template) return undefined;
  const name = is?.source ?? "no template";
  const [before, after] = [tierText(was, kept), tierText(is, now)];
  return {
    kind: "template",
    name,
    detail: before === after ? "its text is another one" : `was ${before}, is ${after}`,
  };
}

/** Texts that replace the base are compared as the template. */
function givenChange(kept: ExplainFacts, now: ExplainFacts): DriftCause | undefined {
  const textsOf = ({ tiers }: ExplainFacts): Explain["tiers"][number] | undefined =>
    tiers.find(({ tier, template }) => tier === "request" && template !== null);
  const [was, is] = [textsOf(kept), textsOf(now)];
  if (was?.template === is?.template) return undefined;
  const detail = is === undefined ? "are gone" : was === undefined ? "are new" : "are other ones";
  return { kind: "template", name: (is ?? was)?.source ?? "", detail };
}

function tierText(tier: Explain["tiers"][number] | undefined, { templateVersion }: ExplainFacts): string {
  if (tier === undefined) return "none";
  return templateVersion === null ? tier.source : `${tier.source}, version ${templateVersion}`;
}

function segmentTexts({ text, explain }: ExplainedText): ReadonlyMap<string, string> {
  return new Map(
    explain.ranges.flatMap(({ origin, name, start, end }) =>
      origin === "segment" && name !== null ? [[name, text.slice(start, end)] as const] : [],
    ),
  );
}

function nameOf({ type, name }: Variable): string {
  return `${type}:${name}`;
}

/** After a move to another folder, a file of the same name is another file, which the description includes. */
function changeOf(known: Variable, variable: Variable): string {
  const [was, is] = [stateOf(known), stateOf(variable)];
  if (nameOf(variable) === folderVariable) return `was "${known.value ?? ""}", is "${variable.value ?? ""}"`;
  const detail = was === is ? `has another value, of ${is} as before` : `was ${was}, is ${is}`;
  const isElsewhere = known.source !== variable.source && isAbsolute(known.source) && isAbsolute(variable.source);
  return isElsewhere ? `${detail}; from ${variable.source}, not ${known.source}` : detail;
}

function stateOf({ kind, sizeBytes, reason }: Variable): string {
  return kind === "value" ? `${sizeBytes} bytes` : `absent (${reason ?? "failed"})`;
}
