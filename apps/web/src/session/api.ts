import { ApiClientError, createClient, type Client, pageKeyHeader } from "@incipit/transport-contract";
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

/** Second credential: other ports of this machine can read the cookie. */
export function keepPageKey(key: string): void {
  localStorage.setItem(pageKeyHeader, key);
}

function fetchWithPageKey(url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  const key = localStorage.getItem(pageKeyHeader);
  if (key !== null) headers.set(pageKeyHeader, key);
  return fetch(url, { ...init, headers });
}
