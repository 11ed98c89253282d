import { LinkedSignal, type Clock, type Contribution } from "@incipit/kernel";
import { lazySchema, type Explain } from "@incipit/schema";
import { maxSegmentTimeoutMs, type PromptSegment, type UsableTools } from "@incipit/service-contract";
import { cut, failureText } from "../variables/failure-text.ts";
import { isLarger } from "../variables/is-larger.ts";
import { withDeadline } from "../variables/deadline.ts";
import type { SegmentLimits } from "../context/limits.ts";
import type { DescribeFailure } from "../types.ts";
import * as z from "zod";

const givenTextSchema = lazySchema(() => z.union([z.string(), z.object({ text: z.string(), detail: z.string() })]));

export interface SegmentOptions {
  readonly conversationId: string;
  readonly profile: string | undefined;
  readonly cwd: string;
  readonly hasTools: boolean;
  readonly skills?: readonly string[];
  readonly mcpServers?: readonly string[];
  readonly tools?: UsableTools;
  readonly isImported?: boolean;
  /** Does not wait beyond the default timeout. */
  readonly isLook: boolean;
  readonly clock: Clock;
  readonly limits: SegmentLimits;
  readonly describeFailure: DescribeFailure;
  readonly signal: AbortSignal;
}

export interface Segment {
  readonly id: string;
  readonly variable: string | undefined;
  readonly text: string | null;
  readonly report: Explain["segments"][number];
}

/** A snapshot: an extension could change the properties between reads. */
interface NamedSegment {
  readonly extension: string;
  readonly id: string;
  readonly order: number;
  readonly variable: string | undefined;
  readonly timeoutMs: number | undefined;
  readonly segment: PromptSegment;
  readonly problem: { readonly kind: "failed" | "shadowed"; readonly detail: string } | undefined;
}

/**
 * Ordered by `order`, `id`, then extension. A segment that throws, times out, or returns no text or too much is
 * omitted with a report, as is a later one with a used id.
 *
 * @throws the reason of `signal`, and nothing else.
 */
export async function collectSegments(
  contributed: readonly Contribution<PromptSegment>[],
  options: SegmentOptions,
): Promise<readonly Segment[]> {
  const named = withProblems(contributed.map(toNamed), options.limits);
  const segments = await Promise.all(named.map((segment) => collect(segment, options)));
  return withinTotal(segments, options.limits);
}

export function segmentConflicts(segments: readonly Segment[]): Explain["conflicts"] {
  return segments.flatMap(({ report: { id, extension, kind, detail } }) =>
    kind === "shadowed" ? [{ point: "prompt-segments@1", name: id, extension, detail: detail ?? "" } as const] : [],
  );
}

function toNamed({ extension, value: segment }: Contribution<PromptSegment>): NamedSegment {
  try {
    const { variable, timeoutMs } = segment;
    return {
      extension,
      id: cut(segment.id),
      order: orderOf(segment),
      variable,
      timeoutMs,
      segment,
      problem: undefined,
    };
  } catch (error) {
    const problem = { kind: "failed", detail: failureText(error) } as const;
    const order = Number.MAX_SAFE_INTEGER;
    return { extension, id: "", order, variable: undefined, timeoutMs: undefined, segment, problem };
  }
}

function withProblems(segments: readonly NamedSegment[], { maxSegments }: SegmentLimits): readonly NamedSegment[] {
  const sorted = segments.toSorted(
    (a, b) => compare(a.order, b.order) || compare(a.id, b.id) || compare(a.extension, b.extension),
  );
  const firstWithId = new Map<string, NamedSegment>();
  return sorted.map((segment, index): NamedSegment => {
    if (segment.problem !== undefined) return segment;
    const { id } = segment;
    const first = firstWithId.get(id);
    if (first !== undefined) {
      const detail = `extension "${first.extension}" has a segment "${id}", and comes first`;
      return { ...segment, problem: { kind: "shadowed", detail } };
    }
    firstWithId.set(id, segment);
    if (index < maxSegments) return segment;
    return { ...segment, problem: { kind: "failed", detail: `there are more than ${maxSegments} segments` } };
  });
}

async function collect(
  { extension, id, order, variable, timeoutMs: asked, segment, problem }: NamedSegment,
  { isLook, clock, limits, describeFailure, signal, ...about }: SegmentOptions,
): Promise<Segment> {
  const startedAt = clock.now();
  const result = (kind: Segment["report"]["kind"], detail: string | null, text: string | null = null): Segment => ({
    id,
    variable,
    text,
    report: { id, extension, order, kind, detail, tookMs: Math.max(0, clock.now() - startedAt) },
  });
  if (problem !== undefined) return result(problem.kind, problem.detail);
  const { maxSegmentBytes } = limits;
  const timeoutMs = isLook ? limits.segmentTimeoutMs : timeoutOf(asked, limits);
  const late = new AbortController();
  using either = new LinkedSignal(signal, late.signal);
  const context = { ...about, timeoutMs, signal: either.signal };
  try {
    const deadline = { clock, timeoutMs, signal };
    const answer = await withDeadline(async () => segment.text(context), deadline);
    if (answer.kind === "timeout") return result("failed", `not done within ${timeoutMs} ms`);
    if (answer.value === null) return result("nothing", null);
    const parsed = givenTextSchema.safeParse(answer.value);
    if (!parsed.success) return result("failed", `gave ${typeof answer.value}, not a text`);
    const { text, detail } = typeof parsed.data === "string" ? { text: parsed.data, detail: null } : parsed.data;
    if (isLarger(text, maxSegmentBytes)) return result("failed", `has more than ${maxSegmentBytes} bytes`);
    const said = detail === null ? null : cut(detail);
    return text.trim() === "" ? result("nothing", said) : result("text", said, text);
  } catch (error) {
    if (signal.aborted) throw error;
    return result("failed", await describeFailure(extension, { what: `segment "${id}"`, error }));
  } finally {
    late.abort();
  }
}

function withinTotal(segments: readonly Segment[], { maxTotalSegmentBytes }: SegmentLimits): readonly Segment[] {
  let remainingBytes = maxTotalSegmentBytes;
  return segments.map((segment): Segment => {
    if (segment.text === null) return segment;
    const sizeBytes = Buffer.byteLength(segment.text);
    if (sizeBytes <= remainingBytes) {
      remainingBytes -= sizeBytes;
      return segment;
    }
    const detail = `all segments together have more than ${maxTotalSegmentBytes} bytes`;
    return { ...segment, text: null, report: { ...segment.report, kind: "failed", detail } };
  });
}

/** Returns a valid timeout for the value of an extension, which is not validated. */
function timeoutOf(asked: number | undefined, { segmentTimeoutMs }: SegmentLimits): number {
  if (asked === undefined || !Number.isFinite(asked)) return segmentTimeoutMs;
  return Math.max(segmentTimeoutMs, Math.min(asked, maxSegmentTimeoutMs));
}

/** Returns the order of a segment. Non-numbers sort last: comparing `NaN` would make the order undefined. */
function orderOf({ order }: PromptSegment): number {
  return Number.isFinite(order) ? order : Number.MAX_SAFE_INTEGER;
}

/** Compares by UTF-16 units, so that no locale can reorder a prompt. */
function compare<Value extends number | string>(a: Value, b: Value): number {
  if (a < b) return -1;
  return a > b ? 1 : 0;
}
