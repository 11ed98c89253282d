import { pageKeyHeader } from "@incipit/transport-contract";

/** Second credential: other ports of this machine can read the cookie. */
export function keepPageKey(key: string): void {
  localStorage.setItem(pageKeyHeader, key);
}

export function fetchWithPageKey(url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  const key = localStorage.getItem(pageKeyHeader);
  if (key !== null) headers.set(pageKeyHeader, key);
  return fetch(url, { ...init, headers });
}
