import { isDated } from "./model-name.ts";
import type { CatalogueVendor } from "./catalogue-facts.ts";
import { vendors } from "./vendors.ts";

/** Names to offer, in their order, without those of single snapshots. */
export function catalogueModels(vendor: CatalogueVendor): readonly string[] {
  return Object.keys(vendors[vendor])
    .filter((name) => !isDated(name))
    .toSorted();
}
