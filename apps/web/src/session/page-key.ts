import { pageKeyHeader } from "@incipit/transport-contract";

/** Keeps what this page has beside its cookie: no other port of this machine can read it here. */
export function keepPageKey(key: string): void {
  localStorage.setItem(pageKeyHeader, key);
}

/** As `fetch`, with the key. */
export function fetchWithPageKey(url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  const key = localStorage.getItem(pageKeyHeader);
  if (key !== null) headers.set(pageKeyHeader, key);
  return fetch(url, { ...init, headers });
}
