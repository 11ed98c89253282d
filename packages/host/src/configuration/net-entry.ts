import { literalAddress } from "../drivers/net/literal-address.ts";

/**
 * What lets an extension reach the URL. A name that the operator wrote is meant, also where it leads into a home network;
 * an address leads nowhere else.
 */
export function netEntry(url: string, { isOperators }: { readonly isOperators: boolean }): string {
  const { hostname, port, protocol } = new URL(url);
  const endpoint = `${hostname}:${port === "" ? (protocol === "https:" ? 443 : 80) : port}`;
  return isOperators && literalAddress(hostname) === undefined ? `private:${endpoint}` : endpoint;
}
