import { sha256Hex } from "@incipit/common";
import type { Explain } from "@incipit/schema";
import type { CompiledTemplate } from "../template/compiled-template.ts";
import type { ExplainFacts } from "../stored/explain-facts.ts";
import { holds, separator } from "./request-tier.ts";
import type { Segment } from "./segments.ts";
import { TemplateTrace, type RenderedBranch } from "../template/template-trace.ts";
import type { Base } from "./tiers.ts";
import type { ResolvedVariable } from "../types.ts";

type Range = Explain["ranges"][number];
type Branch = Explain["branches"][number];

export interface Composition {
  /** Well-formed, so that the sent, stored and hashed bytes are equal. `""`: no system field is sent. */
  readonly text: string;
  /** Offset of append text and segments. */
  readonly tailStart: number;
  readonly explain: ExplainFacts;
}

export interface CompositionParts {
  readonly model: string | undefined;
  readonly base: Base;
  readonly baseTemplate: CompiledTemplate;
  /** The base, or appended to it unless already contained. */
  readonly behindBase: readonly string[];
  /** Appended templates: of the profile, then of the configuration. */
  readonly profileAppend: string | undefined;
  readonly profileAppendTemplate: CompiledTemplate;
  readonly append: string | undefined;
  readonly appendTemplate: CompiledTemplate;
  readonly resolved: ReadonlyMap<string, ResolvedVariable>;
  readonly segments: readonly Segment[];
  readonly conflicts: Explain["conflicts"];
}

/** Joins parts with blank lines; omits blank ones. Text and explanation come from the same pass. */
export function compose(parts: CompositionParts): Composition {
  const { model, base, baseTemplate, behindBase, profileAppend, append, resolved, segments, conflicts } = parts;
  const text = new ComposedText(resolved);
  text.addTemplate(baseTemplate, { tier: base.tier, template: "base" });
  for (const given of behindBase) text.addGiven(given);
  const baseEnd = text.length;
  text.addTemplate(parts.profileAppendTemplate, { tier: "profile-append", template: "profile-append" });
  text.addTemplate(parts.appendTemplate, { tier: "append", template: "append" });
  const inserted = new Set(text.ranges.flatMap(({ origin, name }) => (origin === "variable" ? [name] : [])));
  const added = segments.map((segment) => unlessInserted(segment, inserted));
  for (const segment of added) text.addSegment(segment);
  const tailStart = baseEnd > 0 && text.length > baseEnd ? baseEnd + separator.length : baseEnd;

  const whole = text.toString();
  const explain: ExplainFacts = {
    model: model ?? null,
    tiers: base.tiers,
    append: append ?? null,
    ...(profileAppend === undefined ? {} : { profileAppend }),
    variables: [...resolved.values()].map(explainVariable),
    branches: text.branches,
    ranges: text.ranges,
    segments: added.map(({ report }) => report),
    conflicts,
    sha256: sha256Hex(whole),
    sizeBytes: Buffer.byteLength(whole),
    templateVersion: base.version,
  };
  return { text: whole, tailStart, explain };
}

function unlessInserted(segment: Segment, inserted: ReadonlySet<string | null>): Segment {
  const { variable, text, report } = segment;
  if (text === null || variable === undefined || !inserted.has(variable)) return segment;
  return {
    ...segment,
    text: null,
    report: { ...report, kind: "nothing", detail: `the template has [${variable}]` },
  };
}

class ComposedText {
  readonly ranges: Range[] = [];
  readonly branches: Branch[] = [];
  readonly #resolved: ReadonlyMap<string, ResolvedVariable>;
  readonly #values = new Map<string, string | null>();
  #text = "";

  constructor(resolved: ReadonlyMap<string, ResolvedVariable>) {
    this.#resolved = resolved;
    for (const [key, variable] of resolved)
      this.#values.set(key, variable.kind === "value" ? variable.value : null);
  }

  get length(): number {
    return this.#text.length;
  }

  /** Replacing lone surrogates keeps the length, so the ranges stay valid. */
  toString(): string {
    return this.#text.toWellFormed();
  }

  addTemplate(
    template: CompiledTemplate,
    { tier, template: which }: { readonly tier: string; readonly template: Branch["template"] },
  ): void {
    const trace = new TemplateTrace();
    const piece = template.render(this.#values, trace);
    const firstBranch = this.branches.length;
    const isAdded = this.#add(
      piece,
      tier,
      trace.ranges.map(({ variable, branch, ...place }) => ({
        ...place,
        origin: variable !== null ? "variable" : which === "base" ? "literal" : "append",
        name: variable,
        tier,
        extension: variable === null ? null : (this.#resolved.get(variable)?.extension ?? null),
        branch: branch === null ? null : firstBranch + branch,
      })),
    );
    if (isAdded) for (const branch of trace.branches) this.branches.push(toBranch(branch, firstBranch, which));
  }

  addGiven(given: string): void {
    if (holds(this.#text, given)) return;
    const range = { start: 0, end: given.length, origin: "request", name: null, tier: "request" } as const;
    this.#add(given, "request", [
      { ...range, extension: null, branch: null, templateStart: null, templateEnd: null },
    ]);
  }

  addSegment({ id, text, report: { extension } }: Segment): void {
    if (text === null) return;
    const range = { start: 0, end: text.length, origin: "segment", name: id, tier: "segment", extension } as const;
    this.#add(text, "segment", [{ ...range, branch: null, templateStart: null, templateEnd: null }]);
  }

  #add(piece: string, tier: string, ranges: readonly Range[]): boolean {
    if (piece.trim() === "") return false;
    if (this.#text !== "") {
      const start = this.#text.length;
      const place = { start, end: start + separator.length, templateStart: null, templateEnd: null };
      this.ranges.push({ ...place, origin: "separator", name: null, tier, extension: null, branch: null });
      this.#text += separator;
    }
    const offset = this.#text.length;
    for (const range of ranges)
      this.ranges.push({ ...range, start: offset + range.start, end: offset + range.end });
    this.#text += piece;
    return true;
  }
}

function toBranch(
  { variable, isNegated, side, parent, templateStart, templateEnd }: RenderedBranch,
  firstBranch: number,
  template: Branch["template"],
): Branch {
  return {
    condition: `if ${isNegated ? "!" : ""}${variable}`,
    variable,
    side,
    parent: parent === null ? null : firstBranch + parent,
    template,
    templateStart,
    templateEnd,
  };
}

function explainVariable(variable: ResolvedVariable): Explain["variables"][number] {
  const { type, name, source, tookMs } = variable;
  const common = {
    type,
    name,
    source,
    extension: variable.extension ?? null,
    trust: variable.trust ?? null,
    ...(variable.leftOut === undefined ? {} : { leftOut: [...variable.leftOut] }),
    tookMs,
  };
  if (variable.kind === "absent") {
    const { reason, detail = null } = variable;
    return { ...common, kind: "absent", value: null, reason, detail, sizeBytes: 0 };
  }
  const { value, files, detail = null } = variable;
  const named = files === undefined ? {} : { files: [...files] };
  return { ...common, ...named, kind: "value", value, reason: null, detail, sizeBytes: Buffer.byteLength(value) };
}
