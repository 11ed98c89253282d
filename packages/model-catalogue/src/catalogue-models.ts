import { isDated } from "./model-name.ts";
import type { CatalogueVendor } from "./catalogue-facts.ts";
import { vendors } from "./vendors.ts";

/** Returns sorted model names to suggest, without dated snapshots. */
export function catalogueModels(vendor: CatalogueVendor): readonly string[] {
  return Object.keys(vendors[vendor])
    .filter((name) => !isDated(name))
    .toSorted();
}
