import type { WireName } from "../model-server/wire/wire-format.ts";
import type { Quirk, QuirkOutcome } from "./quirk.ts";

export type ReplyRow = readonly [
  id: string,
  does: string,
  sources: readonly string[],
  body: string,
  sees?: QuirkOutcome,
  contentType?: string,
];

export const hello: QuirkOutcome = { text: "Hello", finishReason: "stop" };
export const counted: QuirkOutcome = { ...hello, inputTokens: 9, outputTokens: 2 };
export const looked: QuirkOutcome = { calls: [["lookup", { a: 1 }]], finishReason: "tool-calls" };

export const cut = { codes: ["CUT_OFF"], says: "stopped in the middle" } as const;
export const cutInText: QuirkOutcome = { text: "Hel", failure: { ...cut, isRetryable: false } };
export const failed = ["FAILED", "VENDOR_FAILED"] as const;

/** `usual` is what rows without an outcome see. */
export function replyQuirks(
  wires: readonly WireName[],
  rows: readonly ReplyRow[],
  usual: QuirkOutcome,
): readonly Quirk[] {
  return rows.map(([id, does, sources, body, sees = usual, contentType = "text/event-stream"]) => {
    return { id, does, sources, wires, answer: { headers: { "content-type": contentType }, body }, sees };
  });
}
