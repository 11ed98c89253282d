import type { ModelFacts } from "@incipit/schema";
import { catalogueDate } from "./data/date.ts";
import { candidateNames } from "./model-name.ts";
import type { VendorModels } from "./types.ts";
import { vendors } from "./vendors.ts";

export type CatalogueVendor = keyof typeof vendors;

/**
 * What is known of a vendor's model; `undefined`: it is not listed.
 *
 * A dated name that is not listed has the facts of the model that it is a snapshot of, and `NAME-latest` those of `NAME`. No
 * other name is taken for a listed one: a near name is another model, with another price.
 */
export function catalogueFacts(vendor: CatalogueVendor, model: string): ModelFacts | undefined {
  const models: VendorModels = vendors[vendor];
  const name = candidateNames(model).find((candidate) => Object.hasOwn(models, candidate));
  const entry = name === undefined ? undefined : models[name];
  return entry === undefined ? undefined : { ...entry, source: `catalogue of ${catalogueDate}` };
}
