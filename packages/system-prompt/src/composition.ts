import type { Explain } from "@incipit/service-contract";
import type { CompiledTemplate, RenderedRange } from "./compiled-template.ts";
import { hashText } from "./prompt-record.ts";
import type { Segment } from "./segments.ts";
import type { Base } from "./tiers.ts";
import type { ResolvedVariable } from "./types.ts";

const separator = "\n\n";

type Range = Explain["ranges"][number];

export interface Composition {
  /** `""`: no system field is sent. Well-formed: what is sent, stored and hashed are the same bytes. */
  readonly text: string;
  /** Where append and segments begin; the length when there are none. */
  readonly tailStart: number;
  readonly explain: Explain;
}

export interface CompositionParts {
  readonly base: Base;
  readonly baseTemplate: CompiledTemplate;
  readonly appendTemplate: CompiledTemplate;
  readonly resolved: ReadonlyMap<string, ResolvedVariable>;
  readonly segments: readonly Segment[];
}

/**
 * Base, append and segments, each after one blank line; one that is white space only is left out. The text and its
 * explanation are made by one and the same pass.
 */
export function compose({ base, baseTemplate, appendTemplate, resolved, segments }: CompositionParts): Composition {
  const values = new Map<string, string | null>();
  for (const [key, variable] of resolved) values.set(key, variable.kind === "value" ? variable.value : null);

  const ranges: Range[] = [];
  let text = "";
  const add = (piece: string, tier: string, pieceRanges: readonly Range[]): void => {
    if (piece.trim() === "") return;
    if (text !== "") {
      ranges.push({
        start: text.length,
        end: text.length + separator.length,
        origin: "separator",
        name: null,
        tier,
      });
      text += separator;
    }
    const offset = text.length;
    for (const range of pieceRanges)
      ranges.push({ ...range, start: offset + range.start, end: offset + range.end });
    text += piece;
  };
  const addRendered = (template: CompiledTemplate, tier: string, literal: "literal" | "append"): void => {
    const rendered: RenderedRange[] = [];
    const piece = template.render(values, rendered);
    add(
      piece,
      tier,
      rendered.map(({ start, end, variable }) => ({
        start,
        end,
        origin: variable === null ? literal : "variable",
        name: variable,
        tier,
      })),
    );
  };

  addRendered(baseTemplate, base.tier, "literal");
  const baseEnd = text.length;
  addRendered(appendTemplate, "append", "append");
  for (const { id, text: piece } of segments) {
    if (piece !== null)
      add(piece, "segment", [{ start: 0, end: piece.length, origin: "segment", name: id, tier: "segment" }]);
  }
  let tailStart = baseEnd;
  if (baseEnd > 0 && text.length > baseEnd) tailStart += separator.length;

  text = text.toWellFormed(); // As long as before, so the ranges hold.
  const sizeBytes = Buffer.byteLength(text);
  const explain: Explain = {
    tiers: base.tiers,
    variables: [...resolved.values()].map(explainVariable),
    ranges,
    segments: segments.map(({ report }) => report),
    sha256: hashText(text),
    sizeBytes,
    templateVersion: base.version,
    estimatedTokens: Math.ceil(sizeBytes / 4),
  };
  return { text, tailStart, explain };
}

function explainVariable(variable: ResolvedVariable): Explain["variables"][number] {
  const { type, name, source, tookMs } = variable;
  if (variable.kind === "absent") {
    return { type, name, kind: "absent", value: null, reason: variable.reason, sizeBytes: 0, source, tookMs };
  }
  const { value } = variable;
  return { type, name, kind: "value", value, reason: null, sizeBytes: Buffer.byteLength(value), source, tookMs };
}
