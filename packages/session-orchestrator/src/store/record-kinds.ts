import { replaySchema } from "@incipit/schema";
import type { Storage } from "@incipit/kernel";
import { callKeys, callsOwner, keys } from "./stored.ts";
import * as z from "zod";

/** Keys are `KIND:ID` and `KIND:ID:…`. Archives contain exactly these. */
export const historyKinds = [
  "approval",
  "event",
  "fork-base",
  "message",
  "question",
  "replay",
  "step",
  "told-system",
  "tool-output",
  "turn-end",
  "wire",
] as const;
export type HistoryKind = (typeof historyKinds)[number];

export const recordKinds: readonly string[] = [
  ...historyKinds,
  "file-change",
  "folder-allowed",
  "grants-allowed",
  "idempotent-send",
  "kept-file",
  "sent-parts",
  "spend-announced",
  "task",
  "tool-allowed",
  "waiting",
];

export function keysOfCall(callId: string): readonly string[] {
  return [
    keys.wire(callsOwner, callId),
    keys.recordAge(callId),
    callKeys.call(callId),
    callKeys.prompt(callId),
    callKeys.reply(callId),
    callKeys.kept(callId),
    callKeys.active(callId),
  ];
}

/** Per commit, so that other operations can interleave. */
const pageSize = 64;

/** An interruption or abort keeps the deletions done so far. */
export async function deleteRecords(
  storage: Storage,
  conversationId: string,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  for (const kind of recordKinds) {
    for (;;) {
      signal?.throwIfAborted();
      const range = { prefix: `${kind}:${conversationId}`, limit: pageSize };
      const page = await storage.list(range, z.unknown());
      if (page.length === 0) break;
      const keysOf = ({ key, value }: { readonly key: string; readonly value: unknown }): readonly string[] => {
        if (kind === "wire") return [key, keys.recordAge(key.slice(range.prefix.length + 1))];
        const callId = kind === "replay" ? replaySchema.safeParse(value).data?.callId : undefined;
        return callId === null || callId === undefined ? [key] : [key, ...keysOfCall(callId)];
      };
      await storage.atomic(
        [],
        page.flatMap(keysOf).map((key) => ({ kind: "delete", key }) as const),
      );
    }
  }
  await storage.delete(keys.audit(conversationId)); // Derived data, and no export record.
}
