import type { CatalogueEntry } from "../src/types.ts";

interface Correction {
  readonly facts: Partial<CatalogueEntry>;
  /** The vendor's page, or where it cannot be read, a page that quotes it. */
  readonly page: string;
}

/** The day on which the pages below were read. */
export const correctionsDate = "2026-11-29";

const openaiModel = (name: string): string => `https://developers.openai.com/api/docs/models/${name}`;
const longWindow = { contextWindow: 1_050_000 } as const;
/** The price from 2026-12-01 on. The introductory price before that is half of it, and no list price. */
const gemini4Prices = { prices: { input: 4, output: 20, cacheRead: 0.2, cacheWrite: null } } as const;

/** Facts that the vendor's page states differently from the packages, by vendor and model. */
export const corrections: Readonly<Record<string, Readonly<Record<string, Correction>>>> = {
  google: {
    "gemini-4-argon": {
      facts: gemini4Prices,
      page: "https://ai.google.dev/gemini-api/docs/generate-content/latest-model",
    },
    "gemini-4-carbon": { facts: gemini4Prices, page: "https://github.com/BerriAI/litellm/discussions/50970" },
  },
  openai: {
    "gpt-6.1-sol": { facts: longWindow, page: openaiModel("gpt-6.1-sol") },
    "gpt-6.1-terra": { facts: longWindow, page: openaiModel("gpt-6.1-terra") },
    "gpt-6.2-astra": { facts: longWindow, page: openaiModel("gpt-6.2-astra") },
    "gpt-6.2-sol": { facts: longWindow, page: openaiModel("gpt-6.2-sol") },
  },
};

/**
 * Returns the entry with the vendor's facts in place of those of the packages, and calls `report` where the packages have
 * the same facts already, so that the correction can be deleted.
 */
export function correctEntry(
  entry: CatalogueEntry,
  correction: Correction | undefined,
  report: () => void,
): CatalogueEntry {
  if (correction === undefined) return entry;
  const corrected = { ...entry, ...correction.facts };
  if (Bun.deepEquals(corrected, entry)) report();
  return corrected;
}
