import type { SharedV4ProviderMetadata } from "@ai-sdk/provider";
import type { PartMetadata } from "@incipit/schema";
import * as z from "zod";

const schema = z.record(z.string(), z.record(z.string(), z.json()));

/** `undefined` if empty. */
export function toMetadata(given: SharedV4ProviderMetadata | undefined): PartMetadata | undefined {
  if (given === undefined) return undefined;
  const entries = Object.entries(schema.parse(JSON.parse(JSON.stringify(given))));
  const said = entries.filter(([, values]) => Object.keys(values).length > 0);
  return said.length === 0 ? undefined : Object.fromEntries(said);
}

export function toProviderOptions(metadata: PartMetadata): SharedV4ProviderMetadata {
  return schema.parse(metadata);
}
