import type { ModelFacts } from "@incipit/schema";
import { catalogueDate } from "./data/date.ts";
import { candidateNames } from "./model-name.ts";
import type { VendorModels } from "./types.ts";
import { vendors } from "./vendors.ts";

export type CatalogueVendor = keyof typeof vendors;

/**
 * Returns the facts of a vendor's model, or `undefined` if not listed.
 *
 * An unlisted dated name resolves to the model without the date, and `NAME-latest` to `NAME`. No other similar name
 * matches: it is another model with another price.
 */
export function catalogueFacts(vendor: CatalogueVendor, model: string): ModelFacts | undefined {
  const models: VendorModels = vendors[vendor];
  const name = candidateNames(model).find((candidate) => Object.hasOwn(models, candidate));
  const entry = name === undefined ? undefined : models[name];
  return entry === undefined ? undefined : { ...entry, source: `catalogue of ${catalogueDate}` };
}
