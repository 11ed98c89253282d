import * as z from "zod";
import type { Endpoint } from "./endpoint.ts";

/** The key of `[providers.NAME]` for a kind whose vendor has a means of its own for tools that are looked up. */
export function toolSearchKey() {
  return { tool_search: z.enum(["vendor", "host"]).exactOptional() };
}

/**
 * Whether tools are looked up by the vendor's means. What is configured wins; else they are where the requests go to the vendor
 * itself, and it documents that for the model: who only speaks its protocol may refuse what it does not know, and with it each
 * later request of the conversation.
 */
export function usesVendorsSearch({
  configured,
  endpoint,
  vendorUrl,
  isDocumented,
}: {
  readonly configured: "vendor" | "host" | undefined;
  readonly endpoint: Pick<Endpoint, "baseUrl">;
  /** Where the vendor is. */
  readonly vendorUrl: string;
  readonly isDocumented: boolean;
}): boolean {
  if (configured !== undefined) return configured === "vendor";
  return isDocumented && isSameOrigin(endpoint.baseUrl ?? vendorUrl, vendorUrl);
}

function isSameOrigin(url: string, other: string): boolean {
  return URL.canParse(url) && new URL(url).origin === new URL(other).origin;
}
