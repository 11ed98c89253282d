import type { JsonValue } from "@incipit/kernel";
import type { Tool } from "@incipit/service-contract";
import { expect } from "bun:test";
import * as z from "zod";
import { declareSuite } from "./declare-suite.ts";
import { defaultDeadlineMs, within } from "../model-server/wire/within.ts";

export interface ToolConformanceOptions {
  /** New for each test; `scope` is closed after it. */
  readonly open: (scope: AsyncDisposableStack) => Promise<Tool> | Tool;
  /** Dependencies never answer, such as a `net` that hangs; defaults to `open`. */
  readonly openStalled?: (scope: AsyncDisposableStack) => Promise<Tool> | Tool;
  readonly takes: readonly [JsonValue, ...JsonValue[]];
  /** Invalid, though the schema accepts them. */
  readonly refuses?: readonly JsonValue[];
  /** `/work` by default. */
  readonly cwd?: string;
  /** Known gaps with reasons; an outdated entry fails. */
  readonly lacks?: Readonly<Partial<Record<ToolPromise, string>>>;
  /** Per step, in real milliseconds; 10,000 by default. */
  readonly deadlineMs?: number;
}

interface ToolWorld {
  readonly tool: Tool;
  readonly reopen: () => Promise<Tool>;
  readonly stalled: () => Promise<Tool>;
  readonly takes: readonly [JsonValue, ...JsonValue[]];
  readonly refuses: readonly JsonValue[];
  readonly cwd: string;
  readonly deadlineMs: number;
}

const objectSchemaSchema = z.looseObject({
  type: z.literal("object"),
  properties: z.record(z.string(), z.union([z.boolean(), z.looseObject({})])).optional(),
  required: z.array(z.string()).optional(),
});

const promises = {
  "name is one that every vendor takes": async ({ tool }) => {
    expect(tool.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  },
  "description says something": async ({ tool }) => {
    expect(tool.description.trim()).not.toBe("");
  },
  "isReadOnly and approval, where they are set, are what a host knows": async ({ tool }) => {
    expect([undefined, true, false]).toContain(tool.isReadOnly);
    expect([undefined, "allow", "ask", "deny"]).toContain(tool.approval);
  },
  "inputSchema is the JSON Schema of an object, and JSON": async ({ tool: { inputSchema } }) => {
    const parsed = objectSchemaSchema.safeParse(inputSchema);
    expect(parsed.error?.issues ?? []).toEqual([]);
    const properties = Object.keys(parsed.data?.properties ?? {});
    expect(properties).toEqual(expect.arrayContaining([...(parsed.data?.required ?? [])]));
    expect(JSON.parse(JSON.stringify(inputSchema))).toStrictEqual(inputSchema);
    z.fromJSONSchema(inputSchema);
  },
  "inputSchema takes what the tool takes": async ({ tool, takes }) => {
    const schema = z.fromJSONSchema(tool.inputSchema);
    expect(takes.filter((input) => !schema.safeParse(input).success)).toEqual([]);
  },
  "the definition is the same bytes each time, after a restart too": async ({ tool, reopen }) => {
    expect(definitionOf(tool)).toBe(definitionOf(tool));
    expect(definitionOf(await reopen())).toBe(definitionOf(tool));
  },
  "execute gives a text for what it takes": async (world) => {
    for (const input of world.takes) expect(await execute(world, world.tool, input)).toBeString();
  },
  "execute gives a text to each of several at once": async (world) => {
    const inputs = [...world.takes, ...world.takes];
    const outputs = await Promise.all(inputs.map((input) => execute(world, world.tool, input)));
    expect(outputs.filter((output) => typeof output !== "string")).toEqual([]);
  },
  "execute leaves its input as it is": async (world) => {
    const [input] = world.takes;
    const given = structuredClone(input);
    await execute(world, world.tool, given);
    expect(given).toEqual(input);
  },
  "execute rejects what it does not take, with an error that says something": async (world) => {
    const taken: unknown[] = [];
    for (const input of refusedInputs(world)) {
      const outcome = await execute(world, world.tool, input).then(
        () => "taken",
        (error: unknown) => (error instanceof Error ? error.message : ""),
      );
      if (outcome === "taken") taken.push(input);
      expect({ input, message: outcome }).not.toMatchObject({ message: "" });
      expect(outcome).not.toMatch(/^Waited \d+ ms/);
    }
    expect(taken).toEqual([]);
  },
  "execute ends when it was stopped before": async (world) => {
    const call = execute(world, await world.stalled(), world.takes[0], AbortSignal.abort());
    expect(await endOf(call)).toBe("ended");
  },
  "execute ends when it is stopped in the middle": async (world) => {
    const stop = new AbortController();
    const call = execute(world, await world.stalled(), world.takes[0], stop.signal);
    const end = endOf(call);
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    expect(await end).toBe("ended");
  },
} as const satisfies Record<string, (world: ToolWorld) => Promise<void>>;

export type ToolPromise = keyof typeof promises;

/** Conformance tests for tools; call it in a test file of the tool. */
export function toolConformance(label: string, options: ToolConformanceOptions): void {
  const { open, openStalled = open, takes, refuses = [], cwd = "/work", lacks } = options;
  const { deadlineMs = defaultDeadlineMs } = options;
  declareSuite<ToolPromise, ToolWorld>(`tool ${label}`, {
    promises,
    lacks,
    async onSubject(keep) {
      await using scope = new AsyncDisposableStack();
      const reopen = async (): Promise<Tool> => open(scope);
      const stalled = async (): Promise<Tool> => openStalled(scope);
      const inputs = { takes: structuredClone(takes), refuses: structuredClone(refuses) };
      await keep({ tool: await reopen(), reopen, stalled, ...inputs, cwd, deadlineMs });
    },
  });
}

function execute(
  { cwd, deadlineMs }: ToolWorld,
  tool: Tool,
  input: unknown,
  signal: AbortSignal = new AbortController().signal,
): Promise<unknown> {
  const call = async (): Promise<unknown> =>
    tool.execute(input, { conversationId: "conversation-1", turnId: "turn-1", toolCallId: "call-1", cwd, signal });
  return within(call(), { what: "execute to end", deadlineMs });
}

function endOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => "ended",
    (error: unknown) => (error instanceof Error && error.message.startsWith("Waited ") ? error.message : "ended"),
  );
}

function definitionOf({ name, description, inputSchema }: Tool): string {
  return JSON.stringify({ name, description, inputSchema });
}

/** Returns inputs that the tool must reject: the author's, and mutations that the schema rejects. */
function refusedInputs({ tool, takes, refuses }: ToolWorld): readonly JsonValue[] {
  const schema = z.fromJSONSchema(tool.inputSchema);
  const spoilt = takes.flatMap((input): readonly JsonValue[] => {
    if (typeof input !== "object" || input === null || Array.isArray(input)) return [];
    const entries = Object.entries(input);
    return entries.flatMap(([key]) => [
      Object.fromEntries(entries.filter(([other]) => other !== key)),
      ...[null, 0, "", true, [], {}].map((value) => Object.fromEntries([...entries, [key, value]])),
    ]);
  });
  const candidates: readonly JsonValue[] = [null, true, 0, "text", [], {}, ...spoilt];
  return [...refuses, ...candidates.filter((input) => !schema.safeParse(input).success)];
}
