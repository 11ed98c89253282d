import { sha256Hex } from "@incipit/common";
const maxLength = 64;

/**
 * `SERVER__TOOL`, of letters, digits, `_` and `-`, at most 64, as all vendors accept it. A changed name ends in a
 * hash of the original. It depends only on the two names: no other tool can take over a name, and with it the user's
 * approvals.
 */
export function toolName(server: string, tool: string): string {
  const plain = `${server}__${tool}`;
  if (/^[A-Za-z0-9_-]+$/.test(plain) && plain.length <= maxLength) return plain;
  const hash = sha256Hex(plain).slice(0, 10);
  const readable = plain.replaceAll(/[^A-Za-z0-9_-]+/g, "_").slice(0, maxLength - hash.length - 1);
  return `${readable}_${hash}`;
}
