/**
 * Plain `fetch` honours the proxy variables even for 127.0.0.1, and the proxy would receive the token and all content.
 */
export function directFetch(url: string, init: RequestInit): Promise<Response> {
  return fetch(url, { ...init, proxy: false });
}
