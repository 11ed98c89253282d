import { nearestWord } from "@incipit/common/suggestion";
import { catalogueFacts, catalogueModels, type CatalogueVendor } from "@incipit/model-catalogue";
import { knownVendors, vendorOf } from "./known-providers.ts";

const catalogued: readonly CatalogueVendor[] = ["anthropic", "openai", "google", "deepseek"];

export function suggestModel(written: string): string | undefined {
  const slash = written.indexOf("/");
  if (slash === -1) return nearestModel(written, catalogued);
  const prefix = written.slice(0, slash);
  const name = written.slice(slash + 1);
  const names = knownVendors.map((known) => known.name);
  const vendor = vendorOf(written)?.name ?? nearestWord(prefix, names);
  if (vendor === undefined) return undefined;
  const lists = catalogued.filter((one) => one === vendor);
  const meant = lists.flatMap((list) => nearestModel(name, [list]) ?? [])[0] ?? `${vendor}/${name}`;
  return meant === written ? undefined : meant;
}

/** Returns a note about a model that is not in the catalogue, which may be older than the model. */
export function unlistedModelNote(model: string): string | undefined {
  const vendor = catalogued.find((one) => model.startsWith(`${one}/`));
  if (vendor === undefined || catalogueFacts(vendor, model.slice(vendor.length + 1)) !== undefined)
    return undefined;
  const meant = suggestModel(model);
  return `"${model}" is not among the models that Incipit knows${meant === undefined ? "" : `; did you mean "${meant}"?`}`;
}

function nearestModel(name: string, vendors: readonly CatalogueVendor[]): string | undefined {
  const known = new Map(
    vendors.flatMap((vendor) => catalogueModels(vendor).map((each) => [each, vendor] as const)),
  );
  const found = nearestWord(name, [...known.keys()]);
  return found === undefined ? undefined : `${known.get(found)}/${found}`;
}
