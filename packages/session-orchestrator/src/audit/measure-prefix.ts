import type { DifferenceReason, StepPrefix } from "@incipit/schema";
import { reasonOf, sizeOf, type SentRequest, type StepAudit } from "./step-audit.ts";

import { compareBodies, type BodyComparison, type KnownBody } from "./compare-bodies.ts";

export interface MeasuredPrefix {
  readonly firstDifference: string | null;
  readonly differenceReason: DifferenceReason | null;
  readonly prefix: StepPrefix;
  readonly partText?: BodyComparison["partText"];
  readonly withoutMarks?: string;
}

interface Requests {
  readonly previous: SentRequest | undefined;
  readonly current: SentRequest;
}

export function measureParts(audited: StepAudit, { previous, current }: Requests): MeasuredPrefix {
  const { firstDifference, differenceReason } = audited;
  const { sizeBytes } = current;
  const base = {
    measure: "parts" as const,
    sizeBytes,
    difference: null,
    changes: [],
    promptReason: null,
  } satisfies Partial<StepPrefix>;
  if (previous === undefined)
    return { firstDifference, differenceReason, prefix: { ...base, previousBytes: null, sharedBytes: 0 } };
  return {
    firstDifference,
    differenceReason,
    prefix: { ...base, previousBytes: previous.sizeBytes, sharedBytes: sharedBytesOf(previous, firstDifference) },
  };
}

export function measureAddress(
  audited: StepAudit,
  { previous, current, before, url }: Requests & { readonly before: string | null; readonly url: string },
): MeasuredPrefix | undefined {
  if (previous === undefined || before === null || before === url) return undefined;
  if (previous.model !== current.model) return undefined;
  const { prefix } = measureParts(audited, { previous, current });
  const differenceReason = otherwise({ previous, current });
  return { firstDifference: "url", differenceReason, prefix: { ...prefix, sharedBytes: 0 } };
}

/** Compares bytes, because the vendor's cache uses them. */
export function measureBodies(
  audited: StepAudit,
  {
    previous,
    current,
    before,
    body,
  }: Requests & { readonly before: KnownBody; readonly body: Omit<KnownBody, "stepId"> },
): MeasuredPrefix {
  if (previous === undefined) return measureParts(audited, { previous, current });
  const { partText, withoutMarks, ...compared } = compareBodies(before, body.body);
  const shared: StepPrefix = { measure: "body", ...compared, changes: [], promptReason: null };
  const prefix = dropsThinking(body.body, compared.difference)
    ? { ...shared, dropsThinking: true as const }
    : shared;
  const kept = withoutMarks === undefined ? {} : { withoutMarks };
  const found = (part: string, reason: DifferenceReason): MeasuredPrefix => ({
    firstDifference: part,
    differenceReason: reason,
    prefix,
    ...kept,
    ...(partText === undefined ? {} : { partText }),
  });
  const isElsewhere = before.url !== body.url;
  if (previous.model !== current.model || isElsewhere) {
    const { firstDifference, differenceReason } = audited;
    const nothing = { ...shared, sharedBytes: 0, difference: null };
    if (previous.model !== current.model) return { firstDifference, differenceReason, prefix: nothing, ...kept };
    return { ...found("url", otherwise({ previous, current })), prefix: nothing };
  }
  const { difference } = compared;
  if (difference === null) return { firstDifference: null, differenceReason: null, prefix, ...kept };
  const { firstDifference } = audited;
  if (firstDifference === null || rank(difference.part) < rank(firstDifference))
    return found(difference.part, otherwise({ previous, current }));
  return found(firstDifference, reasonOf(firstDifference, { previous, current }));
}

function dropsThinking(body: string, difference: StepPrefix["difference"]): boolean {
  if (difference === null || !body.includes('"prefix_mismatch_behavior":"drop_block"')) return false;
  // In the cache, system and tools precede messages, wherever they are in the body.
  const isInMessages = difference.part.startsWith("message");
  const behind = isInMessages ? Buffer.from(body).subarray(difference.bodyByte).toString() : body;
  return /"type":"(?:redacted_)?thinking"/.test(behind);
}

function otherwise({
  previous,
  current,
}: {
  readonly previous: SentRequest;
  readonly current: SentRequest;
}): DifferenceReason {
  const reason = reasonOf("body", { previous, current });
  return reason === "compaction" ? reason : "provider-changed";
}

/** Cache order; all messages share one rank, because vendors join and split them differently. */
function rank(part: string): number {
  if (part.startsWith("message:")) return 3;
  const order = ["tools", "system", "settings"].indexOf(part);
  return order === -1 ? 4 : order;
}

function sharedBytesOf({ parts, sizeBytes }: SentRequest, firstDifference: string | null): number {
  if (firstDifference === null) return sizeBytes;
  if (firstDifference === "model") return 0;
  const index = parts.findIndex(({ part }) => part === firstDifference);
  return index === -1 ? sizeBytes : sizeOf(parts.slice(0, index));
}
