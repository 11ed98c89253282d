import { ApiClientError, createClient, type Client } from "@incipit/transport-contract";
import { fetchWithPageKey } from "./page-key.ts";
import { signedOut } from "./signed-out.ts";

const unauthorized = 401;

/** Authenticated by cookie and page key; an unauthorized response signs the page out. */
export const api: Client = createClient({
  url: location.origin,
  fetch: async (url, init) => {
    const response = await fetchWithPageKey(url, init);
    if (response.status === unauthorized) signedOut();
    return response;
  },
});

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiClientError && error.code === "UNAUTHORIZED";
}

export function problemOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
