import {
  approvalIdSchema,
  messageIdSchema,
  questionIdSchema,
  type ApprovalId,
  type MessageId,
  type QuestionId,
} from "@incipit/schema";
import type { Clock } from "@incipit/kernel";

function uuid(nowMs: number): string {
  return Bun.randomUUIDv7("hex", nowMs);
}

export const newMessageId = (nowMs: number): MessageId => messageIdSchema.parse(uuid(nowMs));
export const newApprovalId = (nowMs: number): ApprovalId => approvalIdSchema.parse(uuid(nowMs));
export const newQuestionId = (nowMs: number): QuestionId => questionIdSchema.parse(uuid(nowMs));

const maxCounter = 0xfff;
/** Prefix of ids from the year 6429 on, which no real clock produces and which could exhaust the range. */
const beyondClocks = "8";

/**
 * Strictly increasing regardless of the clock, so that stored records are read in order. UUIDv7 (RFC 9562, section
 * 6.2, method 1), with a counter in `rand_a` while the clock stands still or is behind.
 */
export class OrderedIds {
  readonly #clock: Clock;
  #newest = "";

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Makes later ids follow this one, unless its time is implausible. */
  follow(id: string): void {
    if (id > this.#newest && id < beyondClocks) this.#newest = id;
  }

  next<Id>(schema: { parse(id: string): Id }): Id {
    return schema.parse(this.#next());
  }

  #next(): string {
    const byClock = Bun.randomUUIDv7("hex", this.#clock.now());
    return (this.#newest = byClock > this.#newest ? byClock : after(this.#newest));
  }
}

/** `tttttttt-tttt-7ccc-…`: time in ms, version, counter. */
function after(id: string): string {
  const atMs = Number.parseInt(`${id.slice(0, 8)}${id.slice(9, 13)}`, 16);
  const counter = Number.parseInt(id.slice(15, 18), 16) + 1;
  const isFull = counter > maxCounter;
  const next = Bun.randomUUIDv7("hex", isFull ? atMs + 1 : atMs);
  return `${next.slice(0, 15)}${(isFull ? 0 : counter).toString(16).padStart(3, "0")}${next.slice(18)}`;
}
