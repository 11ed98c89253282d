/** `https` if a reverse proxy adds TLS. Expects lower case. */
export function isOwnOrigin(origin: string, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`;
}
