import type { Clock, Contribution } from "@incipit/kernel";
import type { Explain, PromptSegment } from "@incipit/service-contract";
import { withDeadline } from "./deadline.ts";

export interface SegmentOptions {
  readonly conversationId: string;
  readonly profile: string | undefined;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface Segment {
  readonly id: string;
  /** `null`: it has nothing to add. */
  readonly text: string | null;
  readonly report: NonNullable<Explain["segments"]>[number];
}

/**
 * What extensions append: by `order`, then `id`, then extension; asked all at one time. One that throws, is late or gives
 * no text is left out and says so in its report.
 * @throws the reason of `signal`, and nothing else.
 */
export async function collectSegments(
  contributed: readonly Contribution<PromptSegment>[],
  options: SegmentOptions,
): Promise<readonly Segment[]> {
  const sorted = contributed.toSorted(
    (a, b) =>
      compare(orderOf(a.value), orderOf(b.value)) ||
      compare(a.value.id, b.value.id) ||
      compare(a.extension, b.extension),
  );
  const segments = await Promise.all(sorted.map((contribution) => collect(contribution, options)));
  options.signal.throwIfAborted();
  return segments;
}

async function collect(
  { extension, value: segment }: Contribution<PromptSegment>,
  { conversationId, profile, ...deadline }: SegmentOptions,
): Promise<Segment> {
  const { clock, timeoutMs } = deadline;
  const startedAt = clock.now();
  const { id } = segment;
  const order = orderOf(segment);
  const report = (kind: "text" | "nothing" | "failed", detail: string | null): Segment["report"] => ({
    id,
    extension,
    order,
    kind,
    detail,
    tookMs: Math.max(0, clock.now() - startedAt),
  });
  try {
    const answer = await withDeadline(async () => segment.text({ conversationId, profile }), deadline);
    if (answer.kind === "timeout")
      return { id, text: null, report: report("failed", `not done within ${timeoutMs} ms`) };
    const text: unknown = answer.value;
    if (typeof text === "string" && text.trim() !== "") return { id, text, report: report("text", null) };
    if (text === null || typeof text === "string") return { id, text: null, report: report("nothing", null) };
    return { id, text: null, report: report("failed", `gave ${typeof text}, not a text`) };
  } catch (error) {
    return { id, text: null, report: report("failed", error instanceof Error ? error.message : String(error)) };
  }
}

/** What is no number comes last: a comparison with `NaN` would make the order of all depend on chance. */
function orderOf({ order }: PromptSegment): number {
  return Number.isFinite(order) ? order : Number.MAX_SAFE_INTEGER;
}

/** By UTF-16 units, so that no locale can reorder a prompt. */
function compare<Value extends number | string>(a: Value, b: Value): number {
  if (a < b) return -1;
  return a > b ? 1 : 0;
}
