import { conversationIdSchema } from "@incipit/schema";
import { expect, test } from "bun:test";
import { failureOf, startService, type StartedService } from "./testing/start-service.ts";

const id = conversationIdSchema.parse("01a1fcd7-5c9a-7556-afda-76769002c75c");
const segment = { id: "acme", order: 1, text: () => "Segment." };
const config = { systemPrompt: "Base [prompt:cwd].", appendSystemPrompt: "Append." };

async function give(
  { texts, commit }: StartedService,
  system: readonly string[] | null,
  mode: "replace" | "append" = "replace",
): Promise<void> {
  await commit(await texts.give(id, system === null ? null : { system, mode }));
}

test("[sent-is-shown] texts of a conversation replace the base verbatim, and explain reports them", async () => {
  await using started = await startService({ config, segments: [segment] });
  const { service } = started;
  await give(started, ["You are [prompt:cwd].", " ", "Be kind."]);

  const { systemPrompt } = await service.preview(
    { conversationId: id },
    { defaultCwd: "/work", defaultModel: "a/b" },
  );
  const text = await service.construct(id, "/work");

  expect(text).toBe("You are [prompt:cwd].\n\nBe kind.\n\nAppend.\n\nSegment.");
  expect(systemPrompt).toBe(text);
  const explain = await service.explain(id);
  expect(explain?.tiers.filter(({ won }) => won)).toMatchObject([
    { tier: "request", position: 2, source: "texts of the conversation", reason: "the first that is set" },
  ]);
  expect(explain?.variables).toEqual([]);
  expect(explain?.ranges.map(({ start, end, origin }) => `${origin}: ${text.slice(start, end).trim()}`)).toEqual([
    "request: You are [prompt:cwd].",
    "separator: ",
    "request: Be kind.",
    "separator: ",
    "append: Append.",
    "separator: ",
    "segment: Segment.",
  ]);
});

test("[sent-is-shown] appended texts follow the base once, before the operator's append text", async () => {
  await using started = await startService({ config });
  const { service } = started;
  await give(started, ["Be kind.", "Base /work."], "append");

  expect(await service.construct(id, "/work")).toBe("Base /work.\n\nBe kind.\n\nAppend.");
  const explain = await service.explain(id);
  expect(explain?.tiers.find(({ source }) => source === "texts of the conversation")).toMatchObject({
    won: false,
    template: "Be kind.\n\nBase /work.",
    reason: "set, and placed behind the base",
  });
  expect(explain?.tiers.find(({ won }) => won)?.source).toBe("system_prompt of the configuration");
});

test("blank texts mean no base, and an empty list keeps the regular base", async () => {
  await using started = await startService({ config });
  const { service } = started;

  await give(started, [" \n"]);
  expect(await service.construct(id, "/work")).toBe("Append.");
  await give(started, []);
  expect(await service.construct(id, "/work")).toBe("Base /work.\n\nAppend.");
});

test("[resolved-once] a stored prompt does not change with the texts, and drift reports the difference", async () => {
  await using started = await startService({ config });
  const { service, history } = started;
  await give(started, ["Old."], "append");
  const kept = await service.construct(id, "/work");

  await give(started, ["New."], "append");

  expect(await service.get(id)).toBe(kept);
  const drift = await history.drift(id, "/work");
  expect(drift?.hunks.flatMap(({ causes }) => causes)).toEqual([
    { kind: "template", name: "texts of the conversation", detail: "are other ones" },
  ]);
  await give(started, null);
  expect(await service.construct(id, "/work")).toBe("Base /work.\n\nAppend.");
});

test("system messages of a call replace or follow the conversation's", async () => {
  await using started = await startService({ config });
  const { service } = started;
  await give(started, ["Given."]);
  await service.construct(id, "/work");
  const tier = (mode: "replace" | "append"): Promise<readonly string[]> =>
    service.applyRequestTier(id, "/work", { system: ["Call."], mode });

  expect(await tier("replace")).toEqual(["Call.\n\nAppend."]);
  expect(await tier("append")).toEqual(["Given.\n\nAppend.", "Call."]);
});

test("a fork copies the texts of its source, and forget deletes them", async () => {
  await using started = await startService({ config });
  const { service, texts, commit } = started;
  await give(started, ["Given."]);
  const copied = await texts.copy(id, { to: "fork" });
  if (copied !== null) await commit(copied);

  await service.forget(id);

  expect(await service.construct("fork", "/work")).toBe("Given.\n\nAppend.");
  expect(await service.construct(id, "/work")).toBe("Base /work.\n\nAppend.");
  expect(await texts.copy(id, { to: "other" })).toBeNull();
});

test("texts of more than 1 MiB are rejected", async () => {
  await using started = await startService();
  const failure = await failureOf(started.texts.give(id, { system: ["é".repeat(600_000)], mode: "replace" }));

  expect(failure).toMatchObject({ code: "TEMPLATE_TOO_LARGE", message: expect.stringContaining("1200000 bytes") });
});
