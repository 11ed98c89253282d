/** Whether a page of this host sends it; with TLS when something before the host adds it. Both in small letters. */
export function isOwnOrigin(origin: string, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`;
}
