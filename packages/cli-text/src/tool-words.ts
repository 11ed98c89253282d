import type { DeferReason } from "@incipit/schema";

export const approvalWords = { allow: "runs at once", ask: "asks first", deny: "not told of" } as const;

/** Follows "as". */
export const deferReasons = {
  configured: 'its "defer" says so',
  "no-room": "they do not fit into tools.shown_max and tools.shown_max_bytes",
  "too-many": "no request can name them all",
} as const satisfies Record<DeferReason, string>;
