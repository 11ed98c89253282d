import { sha256Hex } from "@incipit/common";
import type { Explain } from "@incipit/schema";
import type { RequestTier } from "@incipit/service-contract";
import type { Composition } from "./composition.ts";
import type { ExplainFacts } from "../stored/explain-facts.ts";
import { placeRequestTexts, sentTexts, separator } from "./request-tier.ts";

type Range = Explain["ranges"][number];

export interface ExplainedTexts {
  readonly systemTexts: readonly string[];
  readonly explain: ExplainFacts;
}

/** Where the texts replace the base, the composition has none: its text is append and segments. */
export function explainRequestTier(composition: Composition, tier: RequestTier | undefined): ExplainedTexts {
  const { text: prompt, tailStart, explain } = composition;
  if (tier === undefined || tier.system.length === 0)
    return { systemTexts: prompt === "" ? [] : [prompt], explain };
  const systemTexts = placeRequestTexts(tier, { prompt, tailStart });
  const isAppended = tier.mode === "append";
  const own = sentTexts(tier).length;
  const ranges: Range[] = [];
  let at = 0;
  const add = (length: number, origin: "request" | "separator", tier: string): void => {
    const place = { start: at, end: at + length, templateStart: null, templateEnd: null };
    ranges.push({ ...place, origin, name: null, tier, extension: null, branch: null });
    at += length;
  };
  const addPrompt = (): void => {
    for (const range of explain.ranges) ranges.push({ ...range, start: at + range.start, end: at + range.end });
    at += prompt.length;
  };
  for (const [index, message] of systemTexts.entries()) {
    if (index > 0) add(separator.length, "separator", "request");
    const isPrompt = isAppended ? index === 0 && prompt !== "" : own === 0;
    if (isPrompt) {
      addPrompt();
      continue;
    }
    const hasTail = !isAppended && index === systemTexts.length - 1 && prompt !== "";
    const length = hasTail ? message.length - separator.length - prompt.length : message.length;
    add(length, "request", "request");
    if (!hasTail) continue;
    add(separator.length, "separator", explain.ranges[0]?.tier ?? "append");
    addPrompt();
  }
  const text = systemTexts.join(separator);
  const appended = isAppended ? sentTexts(tier).join(separator) : undefined;
  return {
    systemTexts,
    explain: {
      ...explain,
      tiers: explain.tiers.map((entry) =>
        entry.position === 1 && appended !== undefined
          ? { ...entry, template: appended, sha256: sha256Hex(appended), reason: "set, and placed behind the base" }
          : entry,
      ),
      ranges,
      sha256: sha256Hex(text),
      sizeBytes: Buffer.byteLength(text),
    },
  };
}
