import { systemPromptHandle, type SystemPromptService } from "@incipit/service-contract";
import { createMemoryStorage, startExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import extension from "./index.ts";

const id = "01990000-0000-7000-8000-000000000001";
const other = "01990000-0000-7000-8000-000000000002";
const built = "You work for Acme, and say so when you are asked.\nYou work on shop.";

async function start(
  storage = createMemoryStorage(),
): Promise<AsyncDisposable & { readonly prompt: SystemPromptService }> {
  const started = await startExtension(extension, { storage });
  return {
    prompt: started.service(systemPromptHandle),
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  };
}

test("definePromptBuilder keeps built prompts byte for byte, after changes and restarts", async () => {
  const storage = createMemoryStorage();
  {
    await using first = await start(storage);
    expect(await first.prompt.get(id)).toBeNull();
    expect(await first.prompt.explain(id)).toBeNull();
    expect(await first.prompt.construct(id, "/work/shop")).toBe(built);
    await first.prompt.setTemplate("Be kind.");
  }
  await using second = await start(storage);

  expect(await second.prompt.get(id)).toBe(built);
  expect(await second.prompt.construct(id, "/work/shop", { reason: "compaction" })).toBe(`${built}\nBe kind.`);
  expect(await second.prompt.describe(id)).toMatchObject({
    systemPrompt: `${built}\nBe kind.`,
    reason: "compaction",
  });
});

test("explain names the piece of each character, and preview shows the next build", async () => {
  await using world = await start();
  await world.prompt.construct(id, "/work/shop");

  const explain = await world.prompt.explain(id);
  const preview = await world.prompt.preview(
    { template: "A draft." },
    { defaultCwd: "/work/shop", defaultModel: "a/b" },
  );

  expect(explain?.ranges).toMatchObject([
    { start: 0, end: 50, origin: "literal", name: null },
    { start: 50, end: built.length, origin: "segment", name: "folder", extension: "acme.house-rules" },
  ]);
  expect(preview.systemPrompt).toBe(`${built}\nA draft.`);
  expect(preview.explain.ranges.at(-1)).toMatchObject({ name: "stored" });
  expect(await world.prompt.getTemplate()).toEqual({ template: "", source: "default" });
});

test("texts of a call replace or follow the prompt, also without a conversation", async () => {
  await using world = await start();
  await world.prompt.construct(id, "/work/shop");

  expect(await world.prompt.applyRequestTier(id, "/work/shop", { system: ["One", " "], mode: "replace" })).toEqual([
    "One",
  ]);
  expect(await world.prompt.applyRequestTier(id, "/work/shop", { system: ["One"], mode: "append" })).toEqual([
    built,
    "One",
  ]);
  expect((await world.prompt.resolveCall("/work/shop", undefined)).systemTexts).toEqual([built]);
});

test("an export is importable elsewhere, invalid ones are rejected, and deletions are final", async () => {
  await using from = await start();
  await using to = await start();
  await from.prompt.construct(id, "/work/shop");
  const exported = await from.prompt.exportPrompt(id);

  await to.prompt.importPrompt(other, exported);
  const refused = await to.prompt.importPrompt(other, { prompt: 1 }).catch((error: unknown) => error);
  await from.prompt.forget(id);

  expect(exported).toMatchObject({ prompt: { systemPrompt: built } });
  expect(refused).toMatchObject({ code: "INVALID_REQUEST" });
  expect(await from.prompt.exportPrompt(id)).toBeNull();
  expect(await from.prompt.copyPrompt(id, { to: other })).toBeNull();
});

test("definePromptBuilder rejects more than 1 MiB, stored or built", async () => {
  await using world = await start();
  const large = "é".repeat(600_000);

  const stored = await world.prompt.setTemplate(large).catch((error: unknown) => error);
  const drafted = await world.prompt
    .preview({ template: large }, { defaultCwd: "/", defaultModel: "a/b" })
    .catch((error: unknown) => error);

  expect([stored, drafted]).toMatchObject([{ code: "TEMPLATE_TOO_LARGE" }, { code: "TEMPLATE_TOO_LARGE" }]);
});
