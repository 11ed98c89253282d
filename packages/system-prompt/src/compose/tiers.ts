import type { Explain, TierName } from "@incipit/schema";
import { hashText } from "../stored/prompt-record.ts";

/** One place that a base text can come from; `template: undefined`: nothing is set there. */
export interface TierCandidate {
  readonly tier: TierName;
  readonly source: string;
  readonly template: string | undefined;
  readonly version?: number;
}

export interface Base {
  readonly tier: TierName;
  /** `""`: set to no base text. */
  readonly template: string;
  readonly version: number | null;
  readonly tiers: Explain["tiers"];
}

/** The first that is set is the base. Set to white space means "no base text", and stops the search as well. */
export function chooseBase(candidates: readonly TierCandidate[]): Base {
  let winner: TierCandidate | undefined;
  const tiers: Explain["tiers"] = [];
  for (const candidate of candidates) {
    const { tier, source, template } = candidate;
    const isWinner = winner === undefined && template !== undefined;
    tiers.push({
      tier,
      position: tiers.length + 1,
      source,
      won: isWinner,
      reason: reasonOf(template, winner),
      template: template ?? null,
      sha256: template === undefined ? null : hashText(template),
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
