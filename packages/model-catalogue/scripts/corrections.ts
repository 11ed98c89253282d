import type { ModelFacts } from "@incipit/schema";

export type CatalogueEntry = Omit<ModelFacts, "source">;

interface Correction {
  readonly facts: Partial<CatalogueEntry>;
  /** The vendor's page, or a page that quotes it if not accessible. */
  readonly page: string;
}

/** Date on which the pages were read. */
export const correctionsDate = "2026-11-29";

const openaiModel = (name: string): string => `https://developers.openai.com/api/docs/models/${name}`;
const longWindow = { contextWindow: 1_050_000 } as const;
/** List price from 2026-12-01 on; the earlier introductory price is half of this. */
const gemini4Prices = { prices: { input: 4, output: 20, cacheRead: 0.2, cacheWrite: null } } as const;

/** Facts by vendor and model for which the vendor's page differs from the packages. */
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
 * Applies a correction to an entry. Calls `report` if the packages already have the same facts, so that the
 * correction can be deleted.
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
