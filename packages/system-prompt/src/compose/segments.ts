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
  /** Nothing is sent: a segment that asks to be waited for longer is not. */
  readonly isLook: boolean;
  readonly clock: Clock;
  readonly limits: SegmentLimits;
  readonly describeFailure: DescribeFailure;
  readonly signal: AbortSignal;
}

export interface Segment {
  readonly id: string;
  /** The variable that has the same text; `undefined`: there is none. */
  readonly variable: string | undefined;
  /** `null`: it has nothing to add. */
  readonly text: string | null;
  readonly report: Explain["segments"][number];
}

/** One as it said that it is when it was asked, so that it cannot be another one a moment later. */
interface NamedSegment {
  readonly extension: string;
  readonly id: string;
  readonly order: number;
  readonly variable: string | undefined;
  readonly timeoutMs: number | undefined;
  readonly segment: PromptSegment;
  /** Why it is not asked. */
  readonly problem: { readonly kind: "failed" | "shadowed"; readonly detail: string } | undefined;
}

/**
 * What extensions append: by `order`, then `id`, then extension; asked all at one time. One that throws, is late, gives no
 * text or too much of it is left out and says so in its report; so is one with the id of another that comes first.
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

/** The segments that another one keeps out by its id. */
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

/** In the order of the text. */
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

/** Who comes late is left out. */
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

/** Those of another's may say anything. */
function timeoutOf(asked: number | undefined, { segmentTimeoutMs }: SegmentLimits): number {
  if (asked === undefined || !Number.isFinite(asked)) return segmentTimeoutMs;
  return Math.max(segmentTimeoutMs, Math.min(asked, maxSegmentTimeoutMs));
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
