import type { ModelFacts } from "@incipit/schema";

/** What the catalogue has of one model. */
export type CatalogueEntry = Omit<ModelFacts, "source">;

/** One vendor's models by their names. */
export type VendorModels = Readonly<Record<string, CatalogueEntry>>;
