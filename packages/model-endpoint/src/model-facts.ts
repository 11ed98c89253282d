import type { ModelFacts } from "@incipit/schema";
import { configuredModel } from "./configured-model.ts";
import type { Endpoint } from "./endpoint.ts";
import type { EndpointVendor } from "./endpoint-vendor.ts";

export interface ModelFactsOptions {
  readonly model: string;
  readonly endpoint: Endpoint;
  readonly vendor: Pick<EndpointVendor, "facts" | "acceptsFile">;
}

const configured = "the configuration";

export async function modelFacts({ model, endpoint, vendor }: ModelFactsOptions): Promise<ModelFacts | undefined> {
  const known = await vendor.facts?.(model);
  const said = configuredModel(endpoint, model);
  const contextWindow = said?.contextWindow ?? endpoint.contextWindow;
  const says = [contextWindow, said?.maxOutputTokens, said?.prices, said?.reasoningEfforts].some(
    (value) => value !== undefined,
  );
  if (!says) return known;
  const takes = (mediaType: string): boolean => vendor.acceptsFile({ model, mediaType });
  const efforts = said?.reasoningEfforts ?? known?.reasoningEfforts;
  return {
    ...(efforts === undefined ? {} : { reasoningEfforts: [...efforts] }),
    contextWindow: contextWindow ?? known?.contextWindow ?? null,
    maxOutputTokens: said?.maxOutputTokens ?? known?.maxOutputTokens ?? null,
    prices: said?.prices ?? known?.prices ?? null,
    inputs: known?.inputs ?? [
      "text",
      ...(takes("image/png") ? (["image"] as const) : []),
      ...(takes("application/pdf") ? (["pdf"] as const) : []),
    ],
    source: known === undefined ? configured : `${configured}, and ${known.source}`,
  };
}
