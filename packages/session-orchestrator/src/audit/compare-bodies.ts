import type { StepPrefix } from "@incipit/schema";
import { requestLayout, type LayoutPart } from "@incipit/wire";

const closing = "]}";

interface ComparedBody {
  readonly body: string;
  readonly withoutMarks?: string;
}

export interface KnownBody extends ComparedBody {
  readonly stepId: string;
  readonly url: string;
}

export interface BodyComparison extends Pick<StepPrefix, "sizeBytes" | "sharedBytes" | "difference"> {
  readonly previousBytes: number;
  readonly partText?: { readonly text: string; readonly offset: number };
  readonly withoutMarks?: string;
}

/** As a vendor's prefix cache does. Parses nothing if the previous body is a prefix, the usual case. */
export function compareBodies(before: ComparedBody, body: string): BodyComparison {
  if (before.withoutMarks === undefined && goesOn(before.body, body)) return held(before.body, body);
  const previous = before.withoutMarks ?? withoutCacheMarks(before.body);
  const current = withoutCacheMarks(body);
  const found = compareText({ previous, current, body });
  return current === body ? found : { ...found, withoutMarks: current };
}

function goesOn(previous: string, current: string): boolean {
  return previous.endsWith(closing) && current.startsWith(previous.slice(0, -closing.length));
}

function held(previous: string, current: string): BodyComparison {
  const previousBytes = prefixBytes(previous);
  return { sizeBytes: prefixBytes(current), previousBytes, sharedBytes: previousBytes, difference: null };
}

function compareText({
  previous,
  current,
  body,
}: {
  readonly previous: string;
  readonly current: string;
  readonly body: string;
}): BodyComparison {
  if (goesOn(previous, current)) return held(previous, current);
  const previousBytes = prefixBytes(previous);
  const sizeBytes = prefixBytes(current);
  const layouts = { previous: requestLayout(previous), current: requestLayout(current) };
  if (layouts.previous === undefined || layouts.current === undefined) {
    const offset = commonPrefix(previous, current);
    const sharedBytes = Math.min(previousBytes, Buffer.byteLength(current.slice(0, offset)));
    if (sharedBytes === previousBytes) return { sizeBytes, previousBytes, sharedBytes, difference: null };
    const bodyByte = bytesUntil(body, offset);
    return { sizeBytes, previousBytes, sharedBytes, difference: { part: "body", partByte: bodyByte, bodyByte } };
  }
  const found = compareLayouts(
    { text: previous, parts: layouts.previous },
    { text: current, parts: layouts.current },
  );
  if (found === undefined) return { sizeBytes, previousBytes, sharedBytes: previousBytes, difference: null };
  const { name, start, text, offset, sharedBytes } = found;
  const difference = {
    part: name,
    partByte: Buffer.byteLength(text.slice(0, offset)),
    bodyByte: bytesUntil(body, start + offset),
  };
  const shared = Math.min(sharedBytes, previousBytes);
  return { sizeBytes, previousBytes, sharedBytes: shared, difference, partText: { text, offset } };
}

interface LaidOut {
  readonly text: string;
  readonly parts: readonly LayoutPart[];
}

interface FirstDifference {
  readonly name: string;
  readonly start: number;
  readonly text: string;
  readonly offset: number;
  readonly sharedBytes: number;
}

/** In cache order; `undefined` when only messages were added. */
function compareLayouts(previous: LaidOut, current: LaidOut): FirstDifference | undefined {
  let sharedBytes = 0;
  let lastEnd = 0;
  for (const [index, part] of previous.parts.entries()) {
    const other = current.parts[index];
    const before = previous.text.slice(part.start, part.end);
    if (other === undefined) return { name: part.name, start: lastEnd, text: "", offset: 0, sharedBytes };
    const text = other.id === part.id ? current.text.slice(other.start, other.end) : "";
    const offset = commonPrefix(before, text);
    sharedBytes += Buffer.byteLength(before.slice(0, offset));
    // Attribute an inserted part, such as the first tools, to itself.
    const name = rank(other.name) < rank(part.name) ? other.name : part.name;
    if (offset < before.length || offset < text.length)
      return { name, start: other.start, text, offset, sharedBytes };
    lastEnd = other.end;
  }
  const next = current.parts[previous.parts.length];
  if (next === undefined || next.id.startsWith("entry:")) return undefined;
  return {
    name: next.name,
    start: next.start,
    text: current.text.slice(next.start, next.end),
    offset: 0,
    sharedBytes,
  };
}

function rank(name: string): number {
  const order = ["tools", "system", "settings"].indexOf(name);
  return order === -1 ? Number.MAX_SAFE_INTEGER : order;
}

function prefixBytes(body: string): number {
  return Buffer.byteLength(body) - (body.endsWith(closing) ? closing.length : 0);
}

function bytesUntil(body: string, offsetWithout: number): number {
  return Buffer.byteLength(body.slice(0, offsetWithMarks(body, offsetWithout)));
}

/** Anthropic's cache breakpoints, which are not cached. Cannot match inside a string: its quotes are escaped. */
const mark = /,"cache_control":\{[^{}]*\}/g;

function withoutCacheMarks(body: string): string {
  return body.includes('"cache_control"') ? body.replaceAll(mark, "") : body;
}

function offsetWithMarks(body: string, offset: number): number {
  let removed = 0;
  for (const { index, 0: text } of body.matchAll(mark)) {
    if (index - removed > offset) break;
    removed += text.length;
  }
  return offset + removed;
}

/** In UTF-16 units; consecutive requests usually differ only in the closing brackets. */
const closingMargin = 8;

/** In UTF-16 units. Bisects, because comparing slices is much faster than comparing characters. */
export function commonPrefix(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  const nearEnd = Math.max(0, end - closingMargin);
  const isNearEnd = a.slice(0, nearEnd) === b.slice(0, nearEnd);
  let low = isNearEnd ? nearEnd : 0;
  let high = isNearEnd ? end : nearEnd;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (a.slice(low, middle) === b.slice(low, middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
