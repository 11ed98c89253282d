import { sha256Hex } from "@incipit/common";
import type { Explain, TierName } from "@incipit/schema";
import type { RequestTier } from "@incipit/service-contract";
import { baseOfRequest, sentTexts, separator } from "./request-tier.ts";

export interface TierCandidate {
  readonly tier: TierName;
  readonly source: string;
  readonly template: string | undefined;
  readonly version?: number;
  readonly appended?: string;
}

export function givenCandidate(given: RequestTier): TierCandidate {
  const common = { tier: "request", source: "texts of the conversation", template: baseOfRequest(given) } as const;
  return given.mode === "append" ? { ...common, appended: sentTexts(given).join(separator) } : common;
}

export interface Base {
  readonly tier: TierName;
  /** `""`: explicitly no base text. */
  readonly template: string;
  readonly version: number | null;
  readonly tiers: Explain["tiers"];
}

/** The first candidate with a template. A blank one means "no base text", and also ends the search. */
export function chooseBase(candidates: readonly TierCandidate[]): Base {
  let winner: TierCandidate | undefined;
  const tiers: Explain["tiers"] = [];
  for (const candidate of candidates) {
    const { tier, source, template, appended } = candidate;
    const text = template ?? appended;
    const isWinner = winner === undefined && template !== undefined;
    tiers.push({
      tier,
      position: tiers.length + 1,
      source,
      won: isWinner,
      reason: appended === undefined ? reasonOf(template, winner) : "set, and placed behind the base",
      template: text ?? null,
      sha256: text === undefined ? null : sha256Hex(text),
      version: candidate.version ?? null,
    });
    if (isWinner) winner = candidate;
  }
  const template = winner?.template ?? "";
  return {
    tier: winner?.tier ?? "default",
    template: template.trim() === "" ? "" : template,
    version: winner?.version ?? null,
    tiers,
  };
}

function reasonOf(template: string | undefined, winner: TierCandidate | undefined): string {
  if (template === undefined) return "not set";
  if (winner !== undefined) return `set, but ${winner.source} comes first`;
  return template.trim() === "" ? "the first that is set: to no base text" : "the first that is set";
}
