import type { ModelFacts } from "@incipit/schema";

export type CatalogueEntry = Omit<ModelFacts, "source">;

export type VendorModels = Readonly<Record<string, CatalogueEntry>>;
