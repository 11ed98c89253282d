import { maxSegmentBytes, type PromptSegment } from "@incipit/service-contract";
import { expect } from "bun:test";
import { declareSuite } from "./declare-suite.ts";
import { defaultDeadlineMs, within } from "../model-server/wire/within.ts";

type SegmentContext = Parameters<PromptSegment["text"]>[0];

export interface PromptSegmentConformanceOptions {
  /** New for each test; `scope` is closed after it. */
  readonly open: (scope: AsyncDisposableStack) => Promise<PromptSegment> | PromptSegment;
  /** Contexts with a text, besides two conversations without an agent and one with. */
  readonly contexts?: readonly SegmentContext[];
  /** Known gaps with reasons; an outdated entry fails. */
  readonly lacks?: Readonly<Partial<Record<PromptSegmentPromise, string>>>;
  /** Per step, in real milliseconds; 10,000 by default. */
  readonly deadlineMs?: number;
}

interface SegmentWorld {
  readonly segment: PromptSegment;
  readonly reopen: () => Promise<PromptSegment>;
  readonly contexts: readonly SegmentContext[];
  readonly deadlineMs: number;
}

const common = { cwd: "/", hasTools: true, timeoutMs: 5_000, signal: new AbortController().signal };
const usualContexts: readonly SegmentContext[] = [
  { ...common, conversationId: "conversation-1", profile: undefined },
  { ...common, conversationId: "conversation-2", profile: undefined },
  { ...common, conversationId: "conversation-1", profile: "reviewer" },
];

const promises = {
  "id is a text, order a number, and both stay what they are": async ({ segment, reopen }) => {
    expect(segment.id).toMatch(/\S/);
    expect(segment.order).toBeNumber();
    expect(Number.isFinite(segment.order)).toBe(true);
    const again = await reopen();
    expect([again.id, again.order]).toEqual([segment.id, segment.order]);
  },
  "text gives a text, or null": async (world) => {
    for (const context of world.contexts) {
      const text = await textOf(world, world.segment, context);
      expect(text === null || typeof text === "string").toBe(true);
    }
  },
  "text is well-formed, and fits into a prompt": async (world) => {
    for (const context of world.contexts) {
      const text = await textOf(world, world.segment, context);
      if (typeof text !== "string") continue;
      expect(text.isWellFormed()).toBe(true);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxSegmentBytes);
    }
  },
  "text is the same for the same context, whatever is asked in between": async (world) => {
    const first = await textsOf(world, world.segment);
    const again = await textsOf(world, world.segment);
    expect(again).toEqual(first);
  },
  "text is the same after a restart": async (world) => {
    const before = await textsOf(world, world.segment);
    expect(await textsOf(world, await world.reopen())).toEqual(before);
  },
  "text is the same when several are asked at once": async (world) => {
    const alone = await textsOf(world, world.segment);
    const together = await Promise.all(world.contexts.map((context) => textOf(world, world.segment, context)));
    expect(together).toEqual(alone);
  },
} as const satisfies Record<string, (world: SegmentWorld) => Promise<void>>;

export type PromptSegmentPromise = keyof typeof promises;

/** Conformance tests for prompt segments; call it in a test file of the extension. */
export function promptSegmentConformance(label: string, options: PromptSegmentConformanceOptions): void {
  const { open, contexts = [], lacks, deadlineMs = defaultDeadlineMs } = options;
  declareSuite<PromptSegmentPromise, SegmentWorld>(`prompt segment ${label}`, {
    promises,
    lacks,
    async onSubject(keep) {
      await using scope = new AsyncDisposableStack();
      const reopen = async (): Promise<PromptSegment> => open(scope);
      await keep({ segment: await reopen(), reopen, contexts: [...contexts, ...usualContexts], deadlineMs });
    },
  });
}

function textOf({ deadlineMs }: SegmentWorld, segment: PromptSegment, context: SegmentContext): Promise<unknown> {
  const call = async (): Promise<unknown> => segment.text(context);
  return within(call().then(toText), { what: `the text of "${segment.id}"`, deadlineMs });
}

function toText(given: unknown): unknown {
  return typeof given === "object" && given !== null && "text" in given && "detail" in given ? given.text : given;
}

async function textsOf(world: SegmentWorld, segment: PromptSegment): Promise<unknown[]> {
  const texts: unknown[] = [];
  for (const context of world.contexts) texts.push(await textOf(world, segment, context));
  return texts;
}
