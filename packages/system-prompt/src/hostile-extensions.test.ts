import { KernelError } from "@incipit/kernel";
import { explainSchema, type Explain } from "@incipit/schema";
import { FakeClock } from "@incipit/testkit";
import { expect, test } from "bun:test";
import type { PromptSegment, PromptVariables } from "@incipit/service-contract";
import { segment, startService, type StartedService, type StartOptions } from "./testing/start-service.ts";

const preview = { defaultCwd: "/nowhere", defaultModel: "offline/echo" };

function variables(type: string, resolve: PromptVariables["resolve"]): PromptVariables {
  return { type, variables: [{ name: "x", description: "Any" }], resolve };
}

async function explained(
  options: StartOptions,
): Promise<Explain & { readonly text: string; readonly started: StartedService }> {
  await using started = await startService(options);
  const text = await started.service.construct("c1", "/");
  return { ...explainSchema.parse(await started.service.explain("c1")), text, started };
}

function asSegment(value: unknown): PromptSegment;
function asSegment(value: unknown): unknown {
  return value;
}
function asVariables(value: unknown): PromptVariables;
function asVariables(value: unknown): unknown {
  return value;
}
function asAnswer(value: unknown): { readonly value: string };
function asAnswer(value: unknown): unknown {
  return value;
}

function brokenLater(name: string, rest: object): object {
  let isRead = false;
  const get = (): unknown => {
    if (isRead) throw new Error("gone");
    isRead = true;
    return name === "order" ? 0 : "fine";
  };
  return Object.defineProperty({ ...rest }, name, { get, enumerable: true });
}

test("a segment over its size limit is omitted and reported", async () => {
  const { text, segments } = await explained({
    config: { systemPrompt: "base", limits: { max_segment_bytes: 8 } },
    segments: [
      segment("a", () => "é".repeat(4)),
      segment("b", () => "é".repeat(4) + "x"),
      segment("c", () => "x".repeat(10_000_000)),
    ],
  });

  expect(text).toBe(`base\n\n${"é".repeat(4)}`);
  expect(segments.map(({ kind, detail }) => [kind, detail])).toEqual([
    ["text", null],
    ["failed", "has more than 8 bytes"],
    ["failed", "has more than 8 bytes"],
  ]);
});

test("segments have a total limit and a maximum number", async () => {
  const { text, segments } = await explained({
    config: { systemPrompt: "", limits: { max_total_segment_bytes: 5, max_segments: 4 } },
    segments: ["a", "b", "c", "d", "e"].map((id) => segment(id, () => (id === "c" ? "c" : id.repeat(2)))),
  });

  expect(text).toBe("aa\n\nbb\n\nc");
  expect(segments.map(({ id, kind, detail }) => [id, kind, detail])).toEqual([
    ["a", "text", null],
    ["b", "text", null],
    ["c", "text", null],
    ["d", "failed", "all segments together have more than 5 bytes"],
    ["e", "failed", "there are more than 4 segments"],
  ]);
});

test("of two segments with the same id, the first is used, and the other reported", async () => {
  const { text, segments, conflicts, started } = await explained({
    config: { systemPrompt: "" },
    segments: [segment("same", () => "second", 2), segment("same", () => "first", 1), segment("z", () => null)],
  });

  expect(text).toBe("first");
  const detail = 'extension "acme.additions" has a segment "same", and comes first';
  expect(segments.map(({ id, order, kind, detail: why }) => [id, order, kind, why])).toEqual(
    [
      ["same", 1, "text", null],
      ["same", 2, "shadowed", detail],
      ["z", 0, "nothing", null],
    ].toSorted((a, b) => Number(a[1]) - Number(b[1])),
  );
  expect(conflicts).toEqual([{ point: "prompt-segments@1", name: "same", extension: "acme.additions", detail }]);
  expect(started.logged.map(({ message }) => message)).toEqual([
    "The prompt segments of an extension are not used",
  ]);
});

test("a duplicate or built-in variable type is reported, and the first provider wins", async () => {
  const value =
    (text: string): PromptVariables["resolve"] =>
    async () => ({ value: text });
  const {
    text,
    conflicts,
    variables: resolved,
    ranges,
  } = await explained({
    config: { systemPrompt: "[acme:x] [git:hijacked]" },
    variables: [variables("acme", value("one")), variables("acme", value("two")), variables("git", value("mine"))],
  });

  expect(text).toBe("one ");
  expect(conflicts).toEqual([
    {
      point: "prompt-variables@1",
      name: "acme",
      extension: "acme.additions",
      detail: 'extension "acme.additions" adds "acme", and comes first',
    },
    {
      point: "prompt-variables@1",
      name: "git",
      extension: "acme.additions",
      detail: '"git" is a type of the host\'s own',
    },
  ]);
  expect(resolved.map(({ name, kind, source }) => [name, kind, source])).toEqual([
    ["x", "value", "acme.additions"],
    ["hijacked", "absent", "git"],
  ]);
  expect(ranges[0]).toMatchObject({ origin: "variable", name: "acme:x", extension: "acme.additions" });
});

test("values of extensions have individual and total limits, and a maximum number", async () => {
  const { text, variables: resolved } = await explained({
    config: {
      systemPrompt: "[acme:aaaa][acme:bbbbb][acme:cccc][acme:d][acme:e]",
      limits: { max_variable_bytes: 4, max_total_variable_bytes: 7, max_contributed_variables: 4 },
    },
    variables: [variables("acme", async (name) => ({ value: name }))],
  });

  expect(text).toBe("aaaad");
  expect(resolved.map(({ name, reason }) => [name, reason])).toEqual([
    ["aaaa", null],
    ["bbbbb", "too-large"],
    ["cccc", "too-large"],
    ["d", null],
    ["e", "too-many"],
  ]);
});

test("hostile contributions leave the rest of the prompt intact", async () => {
  const hostile: unknown[] = [
    brokenLater("id", { order: 0, text: () => "never" }),
    brokenLater("order", { id: "no-order", text: () => "never" }),
    { id: 7, order: 0, text: () => "never" },
    { id: "no-text", order: 0 },
    {
      id: "throws-nothing",
      order: 0,
      text: () => {
        throw undefined;
      },
    },
    {
      id: "throws-strange",
      order: 0,
      text: () => {
        throw Object.create(null);
      },
    },
    {
      id: "throws-much",
      order: 0,
      text: () => {
        throw new Error("x".repeat(10_000_000));
      },
    },
    { id: "object", order: 0, text: () => ({ toString: () => "never" }) },
    { id: "surrogates", order: 1, text: () => "\ud800 \0" },
  ];
  const values: unknown[] = [
    null,
    {
      get value() {
        throw new Error("no value");
      },
    },
    { value: 3 },
    { absent: "because" },
    { value: "\udc00\0" },
  ];
  const {
    text,
    variables: resolved,
    segments,
  } = await explained({
    config: { systemPrompt: "<[acme:0][acme:1][acme:2][acme:3][acme:4]>" },
    segments: [...hostile.map(asSegment), segment("z", () => "good", 2)],
    variables: [
      asVariables(brokenLater("type", {})),
      asVariables({ type: 4, variables: null, resolve: null }),
      variables("acme", async (name) => asAnswer(values[Number(name)])),
    ],
  });

  expect(text).toBe("<\ufffd\0>\n\n\ufffd \0\n\ngood");
  expect(resolved.map(({ name, kind, reason }) => [name, kind, reason])).toEqual([
    ["0", "absent", "failed"],
    ["1", "absent", "failed"],
    ["2", "absent", "failed"],
    ["3", "absent", "failed"],
    ["4", "value", null],
  ]);
  expect(segments.filter(({ kind }) => kind === "text").map(({ id }) => id)).toEqual(["surrogates", "z"]);
  expect(segments.filter(({ kind }) => kind === "failed")).toHaveLength(5);
  expect(segments.map(({ id, detail }) => [id, detail])).toContainEqual(["", "gone"]);
  for (const { detail } of segments) expect(detail?.length ?? 0).toBeLessThanOrEqual(500);
});

test("an invalid list of variables does not change the catalogue", async () => {
  await using started = await startService({
    variables: [
      asVariables({ type: "acme", variables: "none", resolve: null }),
      variables("good", async () => ({ value: "" })),
    ],
  });

  const types = new Set((await started.service.getVariables()).map(({ type }) => type));

  expect([...types]).toEqual(["system", "prompt", "git", "file", "good"]);
});

test("a segment with changing text changes no stored prompt, and its failure is logged once", async () => {
  let asked = 0;
  await using started = await startService({
    config: { systemPrompt: "" },
    segments: [
      segment("counts", () => `asked ${++asked} times`),
      segment("broken", () => {
        throw new Error("broken");
      }),
    ],
  });

  const first = await started.service.construct("c1", "/");
  await started.service.construct("c2", "/");
  await started.service.preview({}, preview);

  expect(first).toBe("asked 1 times");
  expect(await started.service.get("c1")).toBe(first);
  expect(started.logged).toHaveLength(1);
});

test("a variable's error or invalid answer is explained, and logged once", async () => {
  const answers: Readonly<Record<string, () => unknown>> = {
    throws: () => {
      throw new Error("no sky\ntoday");
    },
    rejects: () => Promise.reject(new TypeError("no cloud")),
    strange: () => {
      throw Object.create(null);
    },
    sync: () => ({ value: "at once" }),
    number: () => ({ value: 3 }),
    huge: () => ({ value: "x".repeat(100_000_000) }),
  };
  await using started = await startService({
    config: {
      systemPrompt: Object.keys(answers)
        .map((name) => `[acme:${name}]`)
        .join(""),
    },
    variables: [asVariables({ type: "acme", variables: [], resolve: (name: string) => answers[name]?.() })],
  });

  await started.service.construct("c1", "/");
  await started.service.construct("c2", "/");

  const { variables: resolved } = explainSchema.parse(await started.service.explain("c2"));
  expect(resolved.map(({ name, reason, detail, extension }) => [name, reason, detail, extension])).toEqual([
    ["throws", "failed", "no sky today", "acme.additions"],
    ["rejects", "failed", "no cloud", "acme.additions"],
    ["strange", "failed", "threw something that cannot be read", "acme.additions"],
    ["sync", null, null, "acme.additions"],
    ["number", "failed", "gave neither { value: a text } nor { absent: a reason }", "acme.additions"],
    ["huge", "too-large", "has more than 262144 bytes", "acme.additions"],
  ]);
  const told = started.logged.filter(({ message }) => message === "A variable of an extension is absent");
  expect(told.map(({ fields }) => fields)).toContainEqual({
    variable: "acme:throws",
    extension: "acme.additions",
    reason: "failed",
    detail: "no sky today",
  });
  expect(told).toHaveLength(5);
});

test("a hanging variable times out, and reports the duration", async () => {
  const clock = new FakeClock();
  await using started = await startService({
    clock,
    config: { systemPrompt: "[acme:x]", limits: { variable_timeout_ms: 500 } },
    variables: [variables("acme", () => new Promise(() => {}))],
  });

  const constructed = started.service.construct("c1", "/");
  await clock.advanceUntil(constructed);

  const explain = explainSchema.parse(await started.service.explain("c1"));
  expect(explain.variables[0]).toMatchObject({ reason: "timeout", detail: "not done within 500 ms" });
});

test("a variable denied for a missing grant is reported, and lint names the grant", async () => {
  const message = 'Cannot fetch "api.acme.dev:443" for "acme.additions": granted are none';
  await using started = await startService({
    config: { systemPrompt: "[acme:x]" },
    variables: [
      variables("acme", () => Promise.reject(new KernelError("CAPABILITY_DENIED", message, { extension: "acme" }))),
    ],
  });

  const { explain } = await started.service.preview({}, preview);
  const { findings } = await started.templates.lint({}, preview);

  expect(explain.variables[0]).toMatchObject({ reason: "denied", detail: message });
  const told = findings.map((finding) => `${finding.message} ${finding.fix}`).join("\n");
  expect(told).toContain(message);
  expect(told).toContain("capabilities of its manifest");
  expect(told).not.toContain("[prompt] read");
});
