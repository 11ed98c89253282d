import { errorMessage, type Log } from "@incipit/kernel";
import { modelPricesSchema, type ModelPrices } from "@incipit/schema";
import type { FoundModel } from "./find-model.ts";

const nullablePrices = modelPricesSchema.nullable();

/** `null` when unknown or invalid. No timeout; never rejects, so that missing prices fail no call. */
export async function fetchPrices(
  { log }: { readonly log: Log },
  { provider, name }: FoundModel,
): Promise<ModelPrices | null> {
  try {
    const facts = await provider.facts?.(name);
    return nullablePrices.parse(facts?.prices ?? null);
  } catch (error) {
    log.warn("Cannot determine the model's price", { model: name, error: errorMessage(error) });
    return null;
  }
}
