import type { TokenCount } from "@incipit/schema";

/** `12 tokens (o200k_base)`, or `about 12 tokens` for an estimate. */
export function tokenText({ count, method }: TokenCount): string {
  const tokens = count === 1 ? "1 token" : `${count} tokens`;
  return method === "estimate" ? `about ${tokens}` : `${tokens} (${method})`;
}
