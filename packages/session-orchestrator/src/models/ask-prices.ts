import { errorMessage, type Log } from "@incipit/kernel";
import { modelPricesSchema, type ModelPrices } from "@incipit/schema";
import type { FoundModel } from "./find-model.ts";

const nullablePrices = modelPricesSchema.nullable();

/**
 * What a model costs, as its provider says; `null`: it does not know, or what it says is no price. Takes as long as the provider
 * does, and never rejects: no call fails for want of a price.
 */
export async function askPrices(
  { log }: { readonly log: Log },
  { provider, name }: FoundModel,
): Promise<ModelPrices | null> {
  try {
    const facts = await provider.facts?.(name);
    return nullablePrices.parse(facts?.prices ?? null);
  } catch (error) {
    log.warn("What a model costs could not be told", { model: name, error: errorMessage(error) });
    return null;
  }
}
