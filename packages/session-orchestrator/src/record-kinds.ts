import { messageSchema, stepSchema, turnEventSchema } from "@incipit/service-contract";
import type { Storage } from "@incipit/kernel";
import * as z from "zod";
import {
  activeTurnSchema,
  endedApprovalSchema,
  forkBaseSchema,
  idempotentSendSchema,
  storedToolOutputSchema,
  storedWireSchema,
  toolAllowedSchema,
} from "./stored.ts";

/** What is kept of a conversation beside its record: keys `KIND:ID` and `KIND:ID:…`, and the shape of their values. */
export const recordKinds: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ["message", messageSchema],
  ["event", turnEventSchema],
  ["step", stepSchema],
  ["wire", storedWireSchema],
  ["approval", endedApprovalSchema],
  ["tool-allowed", toolAllowedSchema],
  ["idempotent-send", idempotentSendSchema],
  ["tool-output", z.union([storedToolOutputSchema, z.string()])],
  ["fork-base", forkBaseSchema],
  ["waiting", activeTurnSchema],
]);

/** Of one commit: storage is asked for other things in between, and some records are large. */
const pageSize = 64;

/** Deletes all of it, one page after the other; what was deleted when it is cut off, or `signal` aborts, stays so. */
export async function deleteRecords(
  storage: Storage,
  conversationId: string,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  for (const kind of recordKinds.keys()) {
    for (;;) {
      signal?.throwIfAborted();
      const range = { prefix: `${kind}:${conversationId}`, limit: pageSize };
      const page = await storage.list(range, z.unknown());
      if (page.length === 0) break;
      await storage.atomic(
        [],
        page.map(({ key }) => ({ kind: "delete", key }) as const),
      );
    }
  }
}
