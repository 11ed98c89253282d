import type { DeferReason } from "@incipit/schema";

export const approvalWords = {
  allow: "runs without approval",
  ask: "needs approval",
  deny: "hidden from models",
} as const;

/** Follows "as". */
export const deferReasons = {
  configured: '"defer" is set',
  "no-room": "they exceed tools.shown_max or tools.shown_max_bytes",
  "too-many": "they are too many to list in a request",
} as const satisfies Record<DeferReason, string>;
