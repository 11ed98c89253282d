import { expect, test } from "bun:test";
import { promptDriftSchema } from "@incipit/schema";
import type { PromptDifference } from "@incipit/service-contract";
import { createMemoryStorage, createTempFolder, FakeClock } from "@incipit/testkit";
import fc from "fast-check";
import { join } from "node:path";
import { failureOf, namespace, odd, segment, startService, type StartOptions } from "../testing/start-service.ts";

const page = { limit: 100 };

function causesOf(drift: PromptDifference | null): readonly (readonly string[])[] {
  return (drift?.hunks ?? []).map(({ causes }) =>
    causes.map(({ kind, name, detail }) => `${kind} ${name}: ${detail}`),
  );
}

async function drifted(before: StartOptions, after: StartOptions, cwd = "/work"): Promise<PromptDifference | null> {
  const storage = createMemoryStorage();
  {
    await using started = await startService({ ...before, storage });
    await started.service.construct("c1", cwd, { model: "a/b" });
  }
  await using started = await startService({ ...after, storage });
  const keysBefore = await started.storage.list(namespace, {});
  const drift = await started.history.drift("c1", cwd, { model: "a/b" });
  expect(await started.storage.list(namespace, {})).toEqual(keysBefore);
  return drift;
}

test("drift() of an unchanged prompt reports no difference, and stores nothing", async () => {
  const drift = await drifted(
    { config: { systemPrompt: "[prompt:cwd]" } },
    { config: { systemPrompt: "[prompt:cwd]" } },
  );

  expect(drift).toMatchObject({ isSame: true, hunks: [], unified: "", firstChangedByte: null });
  expect(drift?.tokensBehind.count).toBe(0);
  expect(drift?.kept.sha256).toBe(drift?.now.sha256 ?? "");
});

test("drift() does not report an unchanged value, for any content", async () => {
  const options = (word: string): StartOptions => ({
    config: { systemPrompt: "[odd:word] [odd:half] [odd:word]" },
    variables: odd(async (name) => ({ value: name === "word" ? word : "\ud800" })),
  });

  const drift = await drifted(options("one"), options("two"));

  expect(causesOf(drift)).toEqual([["variable odd:word: has another value, of 3 bytes as before"]]);
});

test("drift() does not report unchanged text between two changes", async () => {
  const options = (word: string, end: string): StartOptions => ({
    config: { systemPrompt: `[odd:a]\nbetween\n[odd:b]\n${"same\n".repeat(20)}${end}` },
    variables: odd(async () => ({ value: word })),
  });

  const drift = await drifted(options("one", "end"), options("two", "another end"));

  expect(causesOf(drift)).toEqual([
    [
      "variable odd:a: has another value, of 3 bytes as before",
      "variable odd:b: has another value, of 3 bytes as before",
    ],
    [expect.stringMatching(/^template /)],
  ]);
  expect(drift?.firstChangedByte).toBe(0);
});

test("drift() reports only the removed part of a one-line prompt", async () => {
  const options = (systemPrompt: string, word?: string): StartOptions => ({
    config: { systemPrompt },
    variables: odd(async (name) =>
      name === "a" && word !== undefined ? { value: word } : { absent: "not-found" },
    ),
  });

  const drift = await drifted(options("go [odd:a]", "one"), options("go [odd:a][odd:none]"));

  expect(causesOf(drift)).toEqual([[expect.stringMatching(/^variable odd:a: was 3 bytes/)]]);
});

test("drift() of a conversation without a prompt is null", async () => {
  await using started = await startService();

  expect(await started.history.drift("never", "/work")).toBeNull();
});

test("drift() reports the variable, branch, template, append or segment of each hunk", async () => {
  await using folder = await createTempFolder();
  const write = (name: string, text: string): Promise<number> => Bun.write(join(folder.path, name), text);
  await write("a.md", "one\ntwo\nthree");
  await write("gone.md", "gone");
  const lines = (text: string): string => Array.from({ length: 10 }, (_, at) => `${text} ${at}`).join("\n");
  const template = `é [file:a.md]\n${lines("x")}\n[if file:gone.md]there: [file:gone.md][else]nothing[endif]\n${lines("y")}`;
  const storage = createMemoryStorage();
  {
    await using started = await startService({
      storage,
      config: { systemPrompt: template, appendSystemPrompt: `${lines("a")}\nappend` },
      segments: [segment("s", () => `${lines("s")}\nsegment`), segment("t", () => `${lines("t")}\nold`)],
    });
    await started.service.construct("c1", folder.path);
  }
  await write("a.md", "one\nTWO\nthree");
  await Bun.file(join(folder.path, "gone.md")).delete();

  await using started = await startService({
    storage,
    config: { systemPrompt: template, appendSystemPrompt: `${lines("a")}\nAPPEND` },
    segments: [segment("t", () => `${lines("t")}\nnew`)],
  });
  const drift = await started.history.drift("c1", folder.path);

  expect(causesOf(drift)).toEqual([
    ["variable file:a.md: has another value, of 13 bytes as before"],
    [
      "branch if file:gone.md: [file:gone.md] was 4 bytes, is absent (not-found)",
      "variable file:gone.md: was 4 bytes, is absent (not-found)",
    ],
    ["append append_system_prompt: its template is another one", "segment s: is gone: no extension adds it"],
    ["segment t: has another text"],
  ]);
  expect(drift?.firstChangedByte).toBe(Buffer.byteLength("é one\n"));
  expect(drift?.unified).toContain("-two\n+TWO\n");
  expect(promptDriftSchema.omit({ rebuildCost: true }).safeParse(drift).success).toBe(true);
});

test("drift() reports why a segment no longer has text", async () => {
  const lines = "a line\n".repeat(10);
  const drift = await drifted(
    { segments: [segment("s", () => `one\n${lines}`), segment("t", () => `two\n${lines}`)] },
    {
      segments: [
        segment("s", () => null),
        segment("t", () => {
          throw new Error("the service is down");
        }),
      ],
    },
  );

  const causes = causesOf(drift).flat().join("\n");
  expect(causes).toContain("segment s: is gone: it has nothing to add");
  expect(causes).toMatch(/segment t: is gone: .*the service is down/);
});

test("drift() reports a changed template of the same source and version", async () => {
  const storage = createMemoryStorage();
  {
    await using before = await startService({ storage, config: { systemPrompt: "one [prompt:cwd]" } });
    await before.service.construct("c1", "/work");
  }
  await using after = await startService({ storage, config: { systemPrompt: "two [prompt:cwd]" } });

  const drift = await after.history.drift("c1", "/work");

  expect(causesOf(drift)).toEqual([["template system_prompt of the configuration: its text is another one"]]);
});

test("drift() reports a replaced base template with its versions", async () => {
  const storage = createMemoryStorage();
  await using started = await startService({ storage, config: { systemPrompt: "config [prompt:cwd]" } });
  await started.service.setTemplate("first [prompt:cwd]");
  await started.service.construct("c1", "/work");
  await started.service.setTemplate("second [prompt:cwd]");
  const second = await started.history.drift("c1", "/work");
  await started.service.deleteTemplate();
  const none = await started.history.drift("c1", "/work");

  expect(causesOf(second)).toEqual([
    ["template stored template: was stored template, version 1, is stored template, version 2"],
  ]);
  expect(causesOf(none)).toEqual([
    [
      "template system_prompt of the configuration: was stored template, version 1, is system_prompt of the configuration",
    ],
  ]);
});

test("drift() reports all changes if equal characters make the cause ambiguous", async () => {
  const options = (value: string): StartOptions => ({
    config: { systemPrompt: "same\n[odd:1]same\n" },
    variables: odd(async () => ({ value })),
  });

  expect(causesOf(await drifted(options(""), options("same\n")))).toEqual([
    ["variable odd:1: was 0 bytes, is 5 bytes"],
  ]);
});

test("drift() has a cause for each hunk, and its hunks transform one text into the other", async () => {
  const value = fc.constantFrom("", "a", "aa", "b\n", "\nb", "a\nb\nc", null);
  const parts = fc.constantFrom(
    "[odd:1]",
    "[odd:2]",
    "a",
    "\n",
    "[if odd:1]",
    "[else]",
    "[endif]",
    "[if !odd:2]x",
    "b\n",
  );
  const state = fc.record({ one: value, two: value, segment: value, append: fc.constantFrom("", "a", "[odd:2]") });

  await fc.assert(
    fc.asyncProperty(fc.array(parts, { maxLength: 8 }), state, state, async (template, before, after) => {
      const options = ({ one, two, segment, append }: typeof before): StartOptions => ({
        config: { systemPrompt: template.join(""), appendSystemPrompt: append },
        variables: odd(async (name) => {
          const given = name === "1" ? one : two;
          return given === null ? { absent: "not-found" } : { value: given };
        }),
        segments: [{ id: "s", order: 0, text: () => segment }],
      });
      const drift = await drifted(options(before), options(after));
      expect(drift?.isSame).toBe(drift?.hunks.length === 0);
      for (const { causes } of drift?.hunks ?? []) {
        expect(causes.length).toBeGreaterThan(0);
        expect(causes.map(({ kind }) => kind)).not.toContain("unknown");
      }
    }),
    { numRuns: 100 },
  );
});

test("constructions() lists every prompt, oldest first, with its author and readable text", async () => {
  const clock = new FakeClock();
  await using started = await startService({ clock, config: { systemPrompt: "[system:time]" } });
  const first = await started.service.construct("c1", "/");
  await clock.advance(1_000);
  const second = await started.service.construct("c1", "/", { reason: "rebuild", by: "ada", note: "it was old" });
  await started.service.construct("other", "/");

  const { items, nextCursor } = await started.history.constructions("c1", page);

  expect(items).toMatchObject([
    { reason: "first-turn", constructedAt: "2026-01-01T00:00:00.000Z", by: null, note: null, sizeBytes: 24 },
    { reason: "rebuild", constructedAt: "2026-01-01T00:00:01.000Z", by: "ada", note: "it was old", sizeBytes: 24 },
  ]);
  expect(nextCursor).toBeUndefined();
  const texts = await Promise.all(items.map(({ sha256 }) => started.history.constructedText("c1", sha256)));
  expect(texts).toEqual([first, second]);
  expect(await started.service.describe("c1")).toMatchObject({ reason: "rebuild", by: "ada", note: "it was old" });
  const pages = await started.history.constructions("c1", { limit: 1 });
  const next = await started.history.constructions("c1", { limit: 1, cursor: pages.nextCursor ?? "" });
  expect([...pages.items, ...next.items]).toEqual([...items]);
  const unknown = failureOf(started.history.constructedText("other", items[0]?.sha256 ?? ""));
  expect(await unknown).toMatchObject({ code: "PROMPT_UNKNOWN" });
  expect((await started.history.constructions("never", page)).items).toEqual([]);
});

test("constructions() lists a refresh with the same text once", async () => {
  await using started = await startService({ config: { systemPrompt: "same" } });
  await started.service.construct("c1", "/");
  for (let turn = 0; turn < 3; turn += 1) await started.service.construct("c1", "/", { reason: "turn-refresh" });

  expect((await started.history.constructions("c1", page)).items).toHaveLength(1);
});

test("exportPrompt() and importPrompt() preserve earlier prompts with their texts", async () => {
  const clock = new FakeClock();
  await using started = await startService({ clock, config: { systemPrompt: "[system:time]" } });
  await started.service.construct("c1", "/");
  await clock.advance(1_000);
  await started.service.construct("c1", "/", { reason: "rebuild", by: "ada" });

  await using elsewhere = await startService();
  const exported = await started.service.exportPrompt("c1");
  await elsewhere.commit(await elsewhere.service.importPrompt("c1", exported));

  const { items } = await elsewhere.history.constructions("c1", page);
  const had = (await started.history.constructions("c1", page)).items;
  expect(items).toEqual(had.map((construction) => ({ ...construction, isImported: true })));
  for (const { sha256 } of items)
    expect(await elsewhere.history.constructedText("c1", sha256)).toBe(
      await started.history.constructedText("c1", sha256),
    );
});

test("forget() erases all prompts of the conversation, and keeps others", async () => {
  const clock = new FakeClock();
  await using started = await startService({
    clock,
    config: { systemPrompt: "[system:time] [prompt:conversation_id]" },
  });
  const { service, history } = started;
  await service.setTemplate("shared");
  await service.construct("c1", "/");
  await service.construct("c2", "/");
  await service.deleteTemplate();
  await service.construct("c1", "/", { reason: "rebuild" });
  await service.construct("c2", "/", { reason: "rebuild" });
  const [shared] = (await history.constructions("c2", page)).items;

  await service.forget("c1");

  expect(await history.constructedText("c2", shared?.sha256 ?? "")).toBe("shared");
  expect((await history.constructions("c1", page)).items).toEqual([]);
  expect(JSON.stringify(await started.storage.list(namespace, {}))).not.toContain("c1");
  await service.forget("c2");
  const left = await started.storage.list(namespace, { prefix: "construction:" });
  expect(left).toEqual([]);
  const texts = await started.storage.list(namespace, { prefix: "text:" });
  expect(JSON.stringify(texts)).not.toContain("Z c");
});
