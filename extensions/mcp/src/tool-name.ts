const maxLength = 64;

/**
 * What models call a tool by: `SERVER__TOOL`, in letters, digits, `_` and `-`, at most 64 of them, as all vendors take it.
 *
 * A name that has to be changed for that ends in a hash of the original one. So the result depends on nothing but the two
 * names: no other tool that comes or goes can take over the name, and with it what a person has allowed for it.
 */
export function toolName(server: string, tool: string): string {
  const plain = `${server}__${tool}`;
  if (/^[A-Za-z0-9_-]+$/.test(plain) && plain.length <= maxLength) return plain;
  const hash = new Bun.CryptoHasher("sha256").update(plain).digest("hex").slice(0, 10);
  const readable = plain.replaceAll(/[^A-Za-z0-9_-]+/g, "_").slice(0, maxLength - hash.length - 1);
  return `${readable}_${hash}`;
}
