import { systemPromptHandle, type SystemPromptService } from "@incipit/service-contract";
import { createMemoryStorage, startExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import extension from "./index.ts";

const id = "01990000-0000-7000-8000-000000000001";

async function start(
  storage = createMemoryStorage(),
): Promise<AsyncDisposable & { readonly prompt: SystemPromptService }> {
  const started = await startExtension(extension, { storage });
  return {
    prompt: started.service(systemPromptHandle),
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  };
}

test("construct stores the text, and get returns it byte for byte after changes and restarts", async () => {
  const storage = createMemoryStorage();
  const text = "Plain [system:time]\r\n\u{1F9A6}";
  {
    await using first = await start(storage);
    await first.prompt.setTemplate(text);
    expect(await first.prompt.get(id)).toBeNull();
    expect(await first.prompt.construct(id, "/work")).toBe(text);
    await first.prompt.setTemplate("Another text");
  }
  await using second = await start(storage);

  expect(await second.prompt.get(id)).toBe(text);
  expect(await second.prompt.construct(id, "/work", { reason: "compaction" })).toBe("Another text");
});

test("construct runs once for concurrent calls, and one aborted caller does not affect others", async () => {
  await using world = await start();
  const leave = new AbortController();

  const both = [world.prompt.construct(id, "/work", { signal: leave.signal }), world.prompt.construct(id, "/work")];
  leave.abort();

  expect(await Promise.all(both)).toEqual(Array.from({ length: 2 }, () => "You are a helpful assistant."));
  const late = world.prompt.construct(id, "/work", { signal: leave.signal }).catch((error: unknown) => error);
  expect(await late).toBe(leave.signal.reason);
});

test("prepare stores nothing until its batch is committed", async () => {
  await using world = await start();

  const { text, sizeBytes } = await world.prompt.prepare(id, "/work", { reason: "compaction" });

  expect(text).toHaveLength(sizeBytes);
  expect(await world.prompt.get(id)).toBeNull();
  expect(await world.prompt.explain(id)).toBeNull();
  expect((await world.prompt.describe(id)).systemPrompt).toBeNull();
});

test("explain returns the origin of each character, like preview", async () => {
  await using world = await start();
  await world.prompt.setTemplate("Said by me");
  await world.prompt.construct(id, "/work");

  const explain = await world.prompt.explain(id);
  const preview = await world.prompt.preview({}, { defaultCwd: "/", defaultModel: "a/b" });
  const draft = await world.prompt.preview({ template: "Draft" }, { defaultCwd: "/", defaultModel: "a/b" });

  expect(explain?.ranges).toMatchObject([{ start: 0, end: 10, origin: "literal", name: null, tier: "global" }]);
  expect(explain?.tiers.map(({ tier, won }) => [tier, won])).toEqual([
    ["global", true],
    ["default", false],
  ]);
  expect(preview).toEqual({
    systemPrompt: "Said by me",
    systemTexts: ["Said by me"],
    explain: explain ?? preview.explain,
  });
  expect(draft.systemPrompt).toBe("Draft");
  expect(await world.prompt.get(id)).toBe("Said by me");
});

test("applyRequestTier replaces the prompt, or appends texts without repetition", async () => {
  await using world = await start();
  await world.prompt.setTemplate("Be brief\nBe kind");
  const apply = (system: readonly string[], mode: "replace" | "append"): Promise<readonly string[]> =>
    world.prompt.applyRequestTier(id, "/work", { system, mode });

  expect(await apply(["One", " ", "Two"], "replace")).toEqual(["One", "Two"]);
  expect(await apply(["Be kind", "Be"], "append")).toEqual(["Be brief\nBe kind", "Be"]);
  await world.prompt.setTemplate("");
  expect(await apply([], "append")).toEqual([]);
});

test("setTemplate rejects more than 1 MiB, and deleteTemplate restores the default", async () => {
  await using world = await start();
  await world.prompt.setTemplate("Kept");

  const failure = await world.prompt.setTemplate("é".repeat(600_000)).catch((error: unknown) => error);

  expect(failure).toMatchObject({ code: "TEMPLATE_TOO_LARGE" });
  expect(await world.prompt.getTemplate()).toEqual({ template: "Kept", source: "stored" });
  await world.prompt.deleteTemplate();
  expect(await world.prompt.getTemplate()).toEqual({ template: "You are a helpful assistant.", source: "default" });
});
