import { explainSchema, lazySchema, type Explain } from "@incipit/schema";

export type ExplainFacts = Omit<Explain, "tokens" | "isImported">;

export const storedFactsSchema = lazySchema(() => explainSchema.omit({ tokens: true, isImported: true }));
