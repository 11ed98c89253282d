import { absentReasonSchema, staticVariables } from "@incipit/schema";
import { maxVariableBytes, type PromptVariables } from "@incipit/service-contract";
import { expect } from "bun:test";
import { declareSuite } from "./declare-suite.ts";
import { defaultDeadlineMs, within } from "../model-server/wire/within.ts";

export interface PromptVariablesConformanceOptions {
  /** New for each test; `scope` is closed after it. */
  readonly open: (scope: AsyncDisposableStack) => Promise<PromptVariables> | PromptVariables;
  /** Dependencies never answer, such as a `net` that hangs; defaults to `open`. */
  readonly openStalled?: (scope: AsyncDisposableStack) => Promise<PromptVariables> | PromptVariables;
  /** Have a value in `cwd`; absent: not tested. */
  readonly present?: readonly string[];
  /** `/work` by default. */
  readonly cwd?: string;
  /** Known gaps with reasons; an outdated entry fails. */
  readonly lacks?: Readonly<Partial<Record<PromptVariablesPromise, string>>>;
  /** Per step, in real milliseconds; 10,000 by default. */
  readonly deadlineMs?: number;
}

interface VariablesWorld {
  readonly subject: PromptVariables;
  readonly stalled: () => Promise<PromptVariables>;
  readonly present: readonly string[];
  readonly cwd: string;
  readonly deadlineMs: number;
}

const builtInTypes = new Set(staticVariables.map(({ type }) => type));

/** Inherited properties, and names that a template may contain. */
const strangeNames = [
  "constructor",
  "__proto__",
  "toString",
  "hasOwnProperty",
  "../../etc/passwd",
  "x".repeat(10_000),
];

const promises = {
  "type is a word of letters, digits and _, and not one of the host's own": async ({ subject }) => {
    expect(subject.type).toMatch(/^[A-Za-z0-9_]+$/);
    expect(builtInTypes.has(subject.type)).toBe(false);
  },
  "variables have names that a tag can hold, each once": async ({ subject: { type, variables } }) => {
    const names = variables.map(({ name }) => name);
    expect(names.find((name) => !canBeWritten(type, name))).toBeUndefined();
    expect(new Set(names).size).toBe(names.length);
    expect(names).not.toEqual([]);
  },
  "variables say what they are, in one line each": async ({ subject: { variables } }) => {
    for (const { description } of variables) expect(description).toMatch(/^[^\r\n]*\S[^\r\n]*$/);
  },
  "resolve answers a text, or absent with a reason that is known, for every variable that is listed": async (
    world,
  ) => {
    for (const { name, dynamic } of world.subject.variables) {
      if (dynamic === true) continue;
      expect(answerProblem(await resolve(world, world.subject, name))).toBeNull();
    }
  },
  "resolve has a value where it should": async (world) => {
    for (const name of world.present)
      expect(await resolve(world, world.subject, name)).toMatchObject({ value: expect.any(String) });
  },
  "resolve gives values that are well-formed, and fit into a prompt": async (world) => {
    const listed = world.subject.variables.filter(({ dynamic }) => dynamic !== true).map(({ name }) => name);
    for (const name of [...listed, ...world.present]) {
      const answer = await resolve(world, world.subject, name);
      if (typeof answer !== "object" || answer === null || !("value" in answer)) continue;
      const value = String(answer.value);
      expect(value.isWellFormed()).toBe(true);
      expect(Buffer.byteLength(value)).toBeLessThanOrEqual(maxVariableBytes);
    }
  },
  "resolve answers without a model and a conversation, as a preview asks": async (world) => {
    for (const { name } of world.subject.variables) {
      const answer = await resolve(world, world.subject, name, { model: undefined, conversationId: undefined });
      expect(answerProblem(answer)).toBeNull();
    }
  },
  "resolve answers for names that nobody listed: absent, unless any name is a variable": async (world) => {
    const isDynamic = world.subject.variables.some(({ dynamic }) => dynamic === true);
    for (const name of strangeNames) {
      const answer = await resolve(world, world.subject, name);
      expect(answerProblem(answer)).toBeNull();
      if (!isDynamic) expect(answer).toEqual({ absent: expect.any(String) });
    }
  },
  "resolve answers several at once, each its own": async (world) => {
    const names = world.subject.variables.map(({ name }) => name);
    const alone: string[] = [];
    for (const name of names) alone.push(kindOf(await resolve(world, world.subject, name)));
    const together = await Promise.all([...names, ...names].map((name) => resolve(world, world.subject, name)));
    expect(together.map(kindOf)).toEqual([...alone, ...alone]);
  },
  "resolve ends when it was stopped before": async (world) => {
    const stalled = await world.stalled();
    for (const { name } of stalled.variables)
      expect(await endOf(resolve(world, stalled, name, { signal: AbortSignal.abort() }))).toBe("ended");
  },
  "resolve ends when it is stopped in the middle": async (world) => {
    const stalled = await world.stalled();
    const stop = new AbortController();
    const ends = stalled.variables.map(({ name }) => endOf(resolve(world, stalled, name, { signal: stop.signal })));
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    expect(new Set(await Promise.all(ends))).toEqual(new Set(["ended"]));
  },
} as const satisfies Record<string, (world: VariablesWorld) => Promise<void>>;

export type PromptVariablesPromise = keyof typeof promises;

/** Conformance tests for contributions to `prompt-variables@1`; call it in a test file of the extension. */
export function promptVariablesConformance(label: string, options: PromptVariablesConformanceOptions): void {
  const { open, openStalled = open, present = [], cwd = "/work", lacks } = options;
  const { deadlineMs = defaultDeadlineMs } = options;
  declareSuite<PromptVariablesPromise, VariablesWorld>(`prompt variables ${label}`, {
    promises,
    lacks,
    async onSubject(keep) {
      await using scope = new AsyncDisposableStack();
      const stalled = async (): Promise<PromptVariables> => openStalled(scope);
      await keep({ subject: await open(scope), stalled, present, cwd, deadlineMs });
    },
  });
}

interface ContextOptions {
  readonly model?: string | undefined;
  readonly conversationId?: string | undefined;
  readonly signal?: AbortSignal;
}

function resolve(
  { cwd, deadlineMs }: VariablesWorld,
  subject: PromptVariables,
  name: string,
  options: ContextOptions = {},
): Promise<unknown> {
  const call = async (): Promise<unknown> =>
    subject.resolve(name, {
      cwd,
      model: "offline/echo",
      conversationId: "conversation-1",
      signal: new AbortController().signal,
      ...options,
    });
  return within(call(), { what: `"${name.slice(0, 40)}" to be resolved`, deadlineMs });
}

function endOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => "ended",
    (error: unknown) => (error instanceof Error && error.message.startsWith("Waited ") ? error.message : "ended"),
  );
}

/** One line, no bracket, trimmed at its end; a leading `//` is a URL. */
function canBeWritten(type: string, name: string): boolean {
  const isOneName = name !== "" && !/[[\]\r\n]/.test(name) && !name.startsWith("//");
  return isOneName && `[${type}:${name}]`.slice(1, -1).trim() === `${type}:${name}`;
}

function kindOf(answer: unknown): string {
  return typeof answer === "object" && answer !== null && "value" in answer ? "value" : "absent";
}

/** The host would treat it as `failed`; `null` when valid. */
function answerProblem(answer: unknown): string | null {
  if (typeof answer !== "object" || answer === null) return `it is ${String(answer)}`;
  if ("value" in answer) return typeof answer.value === "string" ? null : `its value is ${String(answer.value)}`;
  const reason = "absent" in answer ? answer.absent : undefined;
  return absentReasonSchema.safeParse(reason).success ? null : `it is absent with the reason ${String(reason)}`;
}
