import { literalAddress } from "../drivers/net/literal-address.ts";

/** A host name written by the operator may resolve to a private network; an address literal needs no such exception. */
export function netEntry(url: string, { isOperators }: { readonly isOperators: boolean }): string {
  const { hostname, port, protocol } = new URL(url);
  const endpoint = `${hostname}:${port === "" ? (protocol === "https:" ? 443 : 80) : port}`;
  return isOperators && literalAddress(hostname) === undefined ? `private:${endpoint}` : endpoint;
}
