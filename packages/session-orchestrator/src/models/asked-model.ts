import type { AskedModel } from "@incipit/service-contract";
import type { FoundModel } from "./find-model.ts";

export function askedModel({ provider, name }: FoundModel): AskedModel {
  return { provider: provider.id, model: name, vendor: provider.vendor ?? null };
}
