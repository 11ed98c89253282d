import { pageKeyHeader } from "@incipit/transport-contract";

/** Stores the page's second credential besides the cookie, which other ports of this machine cannot read. */
export function keepPageKey(key: string): void {
  localStorage.setItem(pageKeyHeader, key);
}

/** Like `fetch`, with the key. */
export function fetchWithPageKey(url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  const key = localStorage.getItem(pageKeyHeader);
  if (key !== null) headers.set(pageKeyHeader, key);
  return fetch(url, { ...init, headers });
}
