import { sha256Hex } from "@incipit/common";
import type { Storage, StorageWrite, WireRequest, JsonValue } from "@incipit/kernel";
import type { Found, Redactor } from "@incipit/redaction";
import { stepSchema, type StepRequest, type Redaction } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import { anyWireSchema, keys, type StoredWire, type RecordedFacts } from "../store/stored.ts";
import { commonPrefix } from "../audit/compare-bodies.ts";

export interface RecordedBody {
  readonly stepId: string;
  /** Redacted. */
  readonly text: string;
  readonly stored: StoredWire;
  readonly sent: { readonly body: string; readonly found: Found } | undefined;
}

export interface RecordedWire {
  readonly writes: readonly StorageWrite[];
  readonly kept: RecordedBody;
}

export function recordRequest(
  redactor: Redactor,
  request: {
    readonly conversationId: string;
    readonly stepId: string;
    readonly wire: WireRequest;
    readonly told: RecordedFacts;
  },
  before: RecordedBody | undefined,
): RecordedWire {
  const { conversationId, stepId, wire, told } = request;
  const { body, url, headers, counted } = redactRequest(redactor, wire, before?.sent);
  const isTriedAgain = before?.stepId === stepId;
  const isSame = isTriedAgain && before.text === body.text;
  const hasAll = !body.found.hasAny && before?.sent?.found.hasAny === false;
  const commonLength = (): number =>
    (hasAll ? body.commonLength : undefined) ?? commonPrefix(before?.text ?? "", body.text);
  const prefixLength = before === undefined || isTriedAgain ? 0 : commonLength();
  const { base, rest, ...shared } = isSame
    ? before.stored
    : {
        base: prefixLength === 0 ? null : (before?.stepId ?? null),
        prefixLength,
        rest: body.text.slice(prefixLength),
      };
  const stored: StoredWire = {
    method: wire.method,
    url,
    headers,
    sha256: wire.sha256,
    storedSha256: body.found.hasAny ? sha256Hex(body.text) : null,
    redactions: [...counted],
    told,
    at: wire.at,
    base,
    prefixLength: shared.prefixLength,
    rest,
  };
  // Omits default values, a tenth of the size of most requests.
  const { storedSha256, redactions, ...plain } = stored;
  const value = storedSha256 === null && redactions.length === 0 ? plain : stored;
  return {
    writes: [
      { kind: "set", key: keys.wire(conversationId, stepId), value },
      ageWrite(conversationId, stepId, rest),
    ],
    kept: { stepId, text: body.text, stored, sent: { body: wire.body, found: body.found } },
  };
}

/** To commit with a request. `rest`: the stored part of its body. */
export function ageWrite(conversationId: string, stepId: string, rest: string): StorageWrite {
  return {
    kind: "set",
    key: keys.recordAge(stepId),
    value: { conversationId, sizeBytes: Buffer.byteLength(rest) },
  };
}

/** `undefined` if missing or unreadable; a prefix shared with `next` is not read from storage. */
export async function readNewest(
  storage: Storage,
  conversationId: string,
  next: string,
): Promise<RecordedBody | undefined> {
  const prefix = keys.wires(conversationId);
  const range = { prefix, reverse: true, limit: 1, onInvalid: () => undefined };
  const [newest] = await storage.list(range, anyWireSchema);
  if (newest === undefined || "deletedAt" in newest.value) return undefined;
  const stepId = newest.key.slice(prefix.length);
  const text =
    begunBy(newest.value, next) ?? (await readText(storage, conversationId, { stepId, wire: newest.value }));
  return text === undefined ? undefined : { stepId, text, stored: newest.value, sent: undefined };
}

/**
 * @throws {ServiceError} `STEP_UNKNOWN` for a step without a sent or recorded request; `RECORD_DELETED`;
 * `STORED_DATA_DAMAGED` when the hash does not match.
 */
export async function readRequest(storage: Storage, conversationId: string, stepId: string): Promise<StepRequest> {
  const { wire, text } = await readStoredRequest(storage, conversationId, stepId);
  const { method, url, headers, sha256, storedSha256, redactions, at } = wire;
  const isRedacted = storedSha256 !== null;
  return {
    method,
    url,
    headers,
    body: text,
    sha256,
    storedSha256: storedSha256 ?? sha256,
    isRedacted,
    redactions,
    at: new Date(at).toISOString(),
  };
}

async function readStoredRequest(
  storage: Storage,
  conversationId: string,
  stepId: string,
): Promise<{ readonly wire: StoredWire; readonly text: string }> {
  const wire = await storage.get(keys.wire(conversationId, stepId), anyWireSchema);
  if (wire === undefined) throw await absent(storage, conversationId, stepId);
  if ("deletedAt" in wire) {
    const { deletedAt, rule, limit } = wire;
    const at = new Date(deletedAt).toISOString();
    const message = `The request of step "${stepId}" was deleted at ${at}: [records] ${rule} = ${limit}; the rest of the step's record is kept`;
    throw new ServiceError("RECORD_DELETED", message, { details: { deletedAt: at, rule, limit } });
  }
  const text = await readText(storage, conversationId, { stepId, wire });
  if (text !== undefined) return { wire, text };
  throw new ServiceError(
    "STORED_DATA_DAMAGED",
    `The record of step "${stepId}" is damaged: its body does not match its hash`,
  );
}

async function absent(storage: Storage, conversationId: string, stepId: string): Promise<ServiceError> {
  const step = await storage.get(keys.step(conversationId, stepId), stepSchema);
  const message =
    step === undefined || step.requestSha256 === null
      ? `No request of step "${stepId}" left the host`
      : `The request of step "${stepId}" was not recorded: [records] requests was false`;
  return new ServiceError("STEP_UNKNOWN", message, { next: { action: "list-steps", conversationId } });
}

function begunBy({ base, prefixLength, rest, sha256, storedSha256 }: StoredWire, next: string): string | undefined {
  if (base === null || prefixLength > next.length) return undefined;
  const text = next.slice(0, prefixLength) + rest;
  return sha256Hex(text) === (storedSha256 ?? sha256) ? text : undefined;
}

const firstPage = 4;
const largestPage = 256;

export async function readText(
  storage: Storage,
  conversationId: string,
  { stepId, wire }: { readonly stepId: string; readonly wire: StoredWire },
): Promise<string | undefined> {
  const prefix = keys.wires(conversationId);
  const pieces: string[] = [wire.rest];
  let { base, prefixLength: needed } = wire;
  let end = keys.wire(conversationId, stepId);
  // Each record refers to an earlier one; loaded in pages, newest first.
  for (let limit = firstPage; base !== null && needed > 0; limit = Math.min(limit * 4, largestPage)) {
    const range = { start: prefix, end, reverse: true, limit, onInvalid: () => undefined };
    const page = await storage.list(range, anyWireSchema);
    for (const { key, value } of page) {
      if (base === null || needed === 0 || key < keys.wire(conversationId, base)) break;
      if (key !== keys.wire(conversationId, base)) continue;
      if ("deletedAt" in value) return undefined;
      if (needed > value.prefixLength) pieces.push(value.rest.slice(0, needed - value.prefixLength));
      needed = Math.min(needed, value.prefixLength);
      ({ base } = value);
    }
    const oldest = page.at(-1);
    if (oldest === undefined || (base !== null && oldest.key < keys.wire(conversationId, base))) break;
    end = oldest.key;
  }
  const text = pieces.toReversed().join("");
  return sha256Hex(text) === (wire.storedSha256 ?? wire.sha256) ? text : undefined;
}

interface WithoutSecrets {
  readonly body: {
    readonly text: string;
    readonly found: Found;
    readonly commonLength: number | undefined;
  };
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly counted: readonly Redaction[];
}

/** Scans only the part of the body not shared with the previous one. */
function redactRequest(
  redactor: Redactor,
  wire: WireRequest,
  before: { readonly body: string; readonly found: Found } | undefined,
): WithoutSecrets {
  const known =
    before === undefined ? undefined : { ...before, commonLength: commonPrefix(before.body, wire.body) };
  const found = redactor.find(wire.body, known);
  const body = redactor.leaveOut(wire.body, found);
  const url = redactor.leaveOutOfShort(wire.url);
  const headers: Record<string, string> = {};
  const counted = [...redactions("body", body.counts), ...redactions("url", url.counts)];
  for (const [name, value] of Object.entries(wire.headers)) {
    const header = redactor.leaveOutOfShort(value);
    headers[name] = header.text;
    counted.push(...redactions(`headers.${name}`, header.counts));
  }
  return { body: { text: body.text, found, commonLength: known?.commonLength }, url: url.text, headers, counted };
}

export function redactions(place: string, counts: Readonly<Record<string, number>>): readonly Redaction[] {
  return Object.entries(counts).map(([kind, count]) => ({ place, kind, count }));
}

export function redactDeep(redactor: Redactor, value: JsonValue, counts: Map<string, number>): JsonValue {
  const without = (text: string): string => {
    const left = redactor.leaveOut(text, redactor.find(text));
    for (const [kind, count] of Object.entries(left.counts)) counts.set(kind, (counts.get(kind) ?? 0) + count);
    return left.text;
  };
  if (typeof value === "string") return without(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redactDeep(redactor, item, counts));
  const left = new Map<string, JsonValue>();
  for (const [key, item] of Object.entries(value)) {
    const name = without(key);
    let free = name;
    for (let count = 2; free !== key && left.has(free); count += 1) free = `${name}-${count}`;
    left.set(free, redactDeep(redactor, item, counts));
  }
  return Object.fromEntries(left);
}
