import { ApiClientError, createClient, type Client } from "@incipit/transport-contract";
import { fetchWithPageKey } from "./page-key.ts";
import { signedOut } from "./signed-out.ts";

const unauthorized = 401;

/** The host that serves this page; the browser's cookie and the page's key sign each call. When the host does not take it, all of the page hears. */
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

export function isAway(error: unknown): boolean {
  return error instanceof ApiClientError && error.code === "UNREACHABLE";
}

/** What a person is told of something that went wrong. */
export function problemOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
