import {
  approvalIdSchema,
  messageSchema,
  replaySchema,
  sha256Schema,
  stepIdSchema,
  stepSchema,
  turnEventSchema,
} from "@incipit/service-contract";
import type { Storage } from "@incipit/kernel";
import * as z from "zod";
import { callKeys, callsOwner } from "./stateless/call-keys.ts";
import {
  activeTurnSchema,
  anyWireSchema,
  endedApprovalSchema,
  forkBaseSchema,
  idempotentSendSchema,
  keys,
  storedToolOutputSchema,
  toldSystemSchema,
  toolAllowedSchema,
} from "./stored.ts";

/** One record of a conversation; `key` is what follows the conversation's id in its own key, `""` where nothing does. */
interface ConversationRecord<Value> {
  readonly conversationId: string;
  readonly key: string;
  readonly value: Value;
}

/** What is wrong with a record that came from outside; `undefined`: it may be kept. */
type RecordCheck = (record: ConversationRecord<unknown>) => string | undefined;

/** A record whose key does not fit to it would be found in the wrong place, or would keep its conversation from being read. */
function check<Value>(
  schema: z.ZodType<Value>,
  hasItsKey: (record: ConversationRecord<Value>) => boolean,
): RecordCheck {
  return ({ conversationId, key, value }) => {
    const parsed = schema.safeParse(value);
    if (!parsed.success) return problemOf(parsed.error);
    return hasItsKey({ conversationId, key, value: parsed.data }) ? undefined : `"${key}" is not its key`;
  };
}

const number = z.string().regex(/^\d{12}$/);
const outputName = z.string().regex(/^[^:]+(?::\d{12})?$/);
const is = (schema: z.ZodType, key: string): boolean => schema.safeParse(key).success;

/** What is kept of a conversation beside its record: keys `KIND:ID` and `KIND:ID:…`. */
export const recordKinds: ReadonlyMap<string, RecordCheck> = new Map<string, RecordCheck>([
  ["message", check(messageSchema, ({ key }) => is(number, key))],
  ["event", check(turnEventSchema, ({ key, value }) => is(number, key) && Number(key) === value.seq)],
  ["step", check(stepSchema, ({ key, value }) => key === value.id)],
  ["wire", check(anyWireSchema, ({ key }) => is(stepIdSchema, key))],
  ["replay", check(replaySchema, ({ key, value }) => key === value.id)],
  ["told-system", check(toldSystemSchema, ({ key }) => is(stepIdSchema, key))],
  ["approval", check(endedApprovalSchema, ({ key }) => is(approvalIdSchema, key))],
  ["tool-allowed", check(toolAllowedSchema, ({ key }) => key !== "")],
  ["idempotent-send", check(idempotentSendSchema, ({ key }) => is(sha256Schema, key))],
  ["tool-output", check(z.union([storedToolOutputSchema, z.string()]), ({ key }) => is(outputName, key))],
  ["fork-base", check(forkBaseSchema, ({ key }) => key === "")],
  [
    "waiting",
    check(
      activeTurnSchema,
      ({ conversationId, key, value }) => value.conversationId === conversationId && value.turnId === key,
    ),
  ],
]);

/** The first thing that does not fit. */
export function problemOf({ issues: [issue] }: z.ZodError): string {
  return `${issue?.path.map(String).join(".") || "the value"}: ${issue?.message ?? "it does not fit"}`;
}

/** What is kept of a call without a conversation. */
export function keysOfCall(callId: string): readonly string[] {
  return [
    keys.wire(callsOwner, callId),
    keys.recordAge(callId),
    callKeys.call(callId),
    callKeys.prompt(callId),
    callKeys.reply(callId),
    callKeys.active(callId),
  ];
}

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
  await storage.delete(keys.audit(conversationId)); // Made from the others, and no record of its own in an export.
}
