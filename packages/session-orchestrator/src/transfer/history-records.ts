import {
  approvalIdSchema,
  questionIdSchema,
  shortTurnEndSchema,
  messageSchema,
  replayIdSchema,
  replaySchema,
  stepIdSchema,
  stepSchema,
  turnEventSchema,
  clientNameSchema,
  isObject,
} from "@incipit/schema";
import type { JsonValue } from "@incipit/kernel";
import type { ArchivedHistory } from "./archived-history.ts";
import { maxCount } from "../call/model-stream.ts";
import type { HistoryKind } from "../store/record-kinds.ts";
import {
  anyWireSchema,
  endedApprovalSchema,
  endedQuestionSchema,
  forkBaseSchema,
  storedToolOutputSchema,
  recordedSystemSchema,
  storedConversationSchema,
} from "../store/stored.ts";
import { isDelta, mergedPiecesSchema } from "../events/stored-deltas.ts";
import * as z from "zod";

/** `key` is the part after the conversation's id, or "". */
interface HistoryRecord<Value = unknown> {
  readonly conversationId: string;
  readonly key: string;
  readonly value: Value;
}

type RecordCheck = (record: HistoryRecord, history: ArchivedHistory) => string | undefined;

/** A record with a wrong key would be misplaced, or make its conversation unreadable. */
function check<Value>(
  schema: z.ZodType<Value>,
  hasItsKey: (record: HistoryRecord<Value>) => boolean,
  takeInto: (history: ArchivedHistory, value: Value, key: string) => string | undefined = () => undefined,
): RecordCheck {
  return ({ conversationId, key, value }, history) => {
    const parsed = schema.safeParse(value);
    if (!parsed.success) return problemOf(parsed.error);
    const unknown = unknownKey(value, parsed.data);
    if (unknown !== undefined) return unknownText(unknown);
    if (!hasItsKey({ conversationId, key, value: parsed.data })) return `"${key}" is not its key`;
    return takeInto(history, parsed.data, key);
  };
}

/** Merged deltas store the lengths of their pieces, which clients do not see. */
const storedEventSchema = turnEventSchema.and(mergedPiecesSchema.partial());
type StoredEvent = z.infer<typeof storedEventSchema>;

function takeEvent(history: ArchivedHistory, event: StoredEvent): string | undefined {
  const { pieceLengths } = event;
  const firstSeq = isDelta(event) ? (event.fromSeq ?? event.seq) : event.seq;
  const isMerged = isDelta(event) && event.fromSeq !== undefined;
  const isFitting = isMerged
    ? pieceLengths?.length === event.seq - firstSeq + 1 && sumOf(pieceLengths) === event.text.length
    : pieceLengths === undefined;
  return isFitting ? history.takeEvent(event, firstSeq) : "pieceLengths: they are not those of its text";
}

function sumOf(lengths: readonly number[]): number {
  return lengths.reduce((sum, length) => sum + length, 0);
}

function numbersProblem(value: unknown): string | undefined {
  if (typeof value === "number" && !(value >= 0 && value <= maxCount))
    return `${value} is not a possible count of one call`;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const problem = numbersProblem(inner);
    if (problem !== undefined) return `${key}: ${problem}`;
  }
  return undefined;
}

const number = z.string().regex(/^\d{12}$/);
/** A call id encoded with `encodeURIComponent`. */
const outputName = /^[\w.!~*'()%-]{1,2000}(?::\d{12})?$/;
const is = (schema: z.ZodType, key: string): boolean => schema.safeParse(key).success && key === key.toLowerCase();

const checks = {
  approval: check(endedApprovalSchema, ({ key }) => is(approvalIdSchema, key)),
  event: check(storedEventSchema, ({ key, value }) => is(number, key) && Number(key) === value.seq, takeEvent),
  "fork-base": check(forkBaseSchema, ({ key }) => key === ""),
  message: check(
    messageSchema.omit({ turnEnd: true }),
    ({ key }) => is(number, key),
    (history, message, key) => history.takeMessage(message, Number(key)),
  ),
  question: check(endedQuestionSchema, ({ key }) => is(questionIdSchema, key)),
  replay: check(
    replaySchema,
    ({ conversationId, key, value }) =>
      is(replayIdSchema, key) && key === value.id && value.conversationId === conversationId,
  ),
  step: check(
    stepSchema,
    ({ key, value }) => is(stepIdSchema, key) && key === value.id,
    (_history, step) => numbersProblem(step),
  ),
  "told-system": check(recordedSystemSchema, ({ key }) => is(stepIdSchema, key)),
  "tool-output": check(
    z.union([storedToolOutputSchema, z.string()]),
    ({ key, value }) => outputName.test(key) && key.includes(":") === (typeof value === "string"),
  ),
  "turn-end": check(
    shortTurnEndSchema,
    ({ key }) => is(number, key),
    (history, _end, key) => history.takeTurnEnd(Number(key)),
  ),
  wire: check(anyWireSchema, ({ key }) => is(stepIdSchema, key)),
} as const satisfies Record<HistoryKind, RecordCheck>;

/** Other kinds are neither imported nor exported. */
export const historyRecords: ReadonlyMap<string, RecordCheck> = new Map<string, RecordCheck>(
  Object.entries(checks),
);

/** Records that an import rejects, because they would grant permissions or run. */
export const actingRecords: ReadonlyMap<string, (key: string) => string> = new Map([
  ["active", (): string => "a turn that would run, or be ended, at the next start"],
  ["folder-allowed", (): string => "an answer that lets tools use its folder"],
  ["grants-allowed", (): string => "an answer that lets calls of tools run"],
  [
    "tool-allowed",
    (key: string): string => `an answer that lets the tool ${JSON.stringify(key.slice(0, 100))} run`,
  ],
  ["waiting", (): string => "a turn that waits, and would run"],
]);

/** Kinds exported by earlier versions and ignored on import: keys are valid in their own host only. */
export const passedOverRecords: ReadonlySet<string> = new Set(["idempotent-send"]);

/** Removes a replay's call id, because the call's records are not transferred. */
export function historyValue(kind: string, value: JsonValue): JsonValue {
  const replay = kind === "replay" ? replaySchema.safeParse(value).data : undefined;
  return replay === undefined ? value : z.json().parse({ ...replay, callId: null });
}

export function problemOf({ issues: [issue] }: z.ZodError): string {
  return `${issue?.path.map(String).join(".") || "the value"}: ${issue?.message ?? "it does not fit"}`;
}

export function unknownText(place: string): string {
  return `${place}: this version knows no such key; if a newer one made the export, use that`;
}

const nameSchema = clientNameSchema.min(1);

export const archivedConversationSchema = storedConversationSchema
  .omit({ importedAt: true, parent: true, deletedAt: true })
  .extend({
    // Upper case would be an equivalent id with a different key, which breaks paging.
    id: storedConversationSchema.shape.id.refine((id) => id === id.toLowerCase(), "must be in small letters"),
    model: nameSchema,
    profile: nameSchema.nullable(),
    title: nameSchema.nullable(),
  });

/**
 * The path of a key that the schema removed from `parsed`, such as `parts.0.url`. Excessive nesting must be rejected
 * before.
 */
export function unknownKey(value: unknown, parsed: unknown): string | undefined {
  if (Array.isArray(value) && Array.isArray(parsed)) {
    for (const [index, item] of value.entries()) {
      const inner = unknownKey(item, parsed[index]);
      if (inner !== undefined) return `${index}.${inner}`;
    }
    return undefined;
  }
  if (!isObject(value) || !isObject(parsed)) return undefined;
  const known = new Map(Object.entries(parsed));
  for (const [key, item] of Object.entries(value)) {
    if (!known.has(key)) return key;
    const inner = unknownKey(item, known.get(key));
    if (inner !== undefined) return `${key}.${inner}`;
  }
  return undefined;
}
