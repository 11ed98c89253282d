import { nearestWord } from "@incipit/host/text";
import { catalogueModels, type CatalogueVendor } from "@incipit/model-catalogue";
import { knownVendors, vendorOf } from "./known-vendors.ts";

const catalogued: readonly CatalogueVendor[] = ["anthropic", "openai", "google", "deepseek"];

/** The model, as PROVIDER/MODEL, that somebody may have meant by a name that is none; `undefined`: none is near, or it is one. */
export function meantModel(written: string): string | undefined {
  const slash = written.indexOf("/");
  if (slash === -1) return nearest(written, catalogued);
  const [prefix, name] = [written.slice(0, slash), written.slice(slash + 1)];
  const vendor =
    vendorOf(written)?.name ??
    nearestWord(
      prefix,
      knownVendors.map(({ name: known }) => known),
    );
  if (vendor === undefined) return undefined;
  const from = catalogued.filter((one) => one === vendor);
  const meant = (from.length === 0 ? undefined : nearest(name, from)) ?? `${vendor}/${name}`;
  return meant === written ? undefined : meant;
}

/** Whether a catalogue has all models of that vendor, and this one is not among them. */
export function isUncatalogued(model: string): boolean {
  const vendor = catalogued.find((one) => model.startsWith(`${one}/`));
  return vendor !== undefined && !catalogueModels(vendor).includes(model.slice(vendor.length + 1));
}

function nearest(name: string, vendors: readonly CatalogueVendor[]): string | undefined {
  const known = new Map(
    vendors.flatMap((vendor) => catalogueModels(vendor).map((each) => [each, vendor] as const)),
  );
  const found = nearestWord(name, [...known.keys()]);
  return found === undefined ? undefined : `${known.get(found)}/${found}`;
}
