import * as z from "zod";
import type { Endpoint } from "../vendor/endpoint.ts";

export function toolSearchKey() {
  return { tool_search: z.enum(["vendor", "host"]).exactOptional() };
}

/**
 * Returns whether to use the vendor's tool search. The configuration decides; the default is to use it only at the
 * vendor's own URL, with a model that documents it: a compatible endpoint may reject the unknown fields, and then all
 * later requests of the conversation.
 */
export function usesVendorsSearch({
  configured,
  endpoint,
  vendorUrl,
  isDocumented,
}: {
  readonly configured: "vendor" | "host" | undefined;
  readonly endpoint: Pick<Endpoint, "baseUrl">;
  readonly vendorUrl: string;
  readonly isDocumented: boolean;
}): boolean {
  if (configured !== undefined) return configured === "vendor";
  return isDocumented && isSameOrigin(endpoint.baseUrl ?? vendorUrl, vendorUrl);
}

function isSameOrigin(url: string, other: string): boolean {
  return URL.canParse(url) && new URL(url).origin === new URL(other).origin;
}
