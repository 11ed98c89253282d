import type { JsonValue } from "@incipit/kernel";
import type { FolderTrust } from "@incipit/service-contract";
import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { startService, type StartedService } from "../testing/start-service.ts";

const template = "At [system:time] in [prompt:cwd]:\r\n[file:AGENTS.md]\u{1F9A6}";

const nobody: FolderTrust = {
  judgeFile: async () => "not-trusted",
  judgeFiles: async (files) => files.map(() => "not-trusted"),
  judgeFolder: async () => "not-trusted",
};

async function adopt({ service, commit }: StartedService, id: string, exported: JsonValue): Promise<void> {
  await commit(await service.importPrompt(id, exported));
}

test("importPrompt() restores exportPrompt() byte for byte with its explanation", async () => {
  await using folder = await createTempFolder();
  await Bun.write(join(folder.path, "AGENTS.md"), "Be kind");
  await using source = await startService({ folderTrust: nobody });
  await source.service.setTemplate(template);
  const text = await source.service.construct("a", folder.path, { model: "offline/echo" });
  await using target = await startService();

  const exported = await source.service.exportPrompt("a");
  expect(exported).not.toBeNull();
  await adopt(source, "b", exported);
  await adopt(target, "b", exported);

  for (const { service } of [source, target]) {
    expect(await service.get("b")).toBe(text);
    expect(await service.describe("b")).toEqual({ ...(await source.service.describe("a")), isImported: true });
    expect(await service.explain("b")).toMatchObject({ ...(await source.service.explain("a")), isImported: true });
    expect(await service.exportPrompt("b")).toEqual(exported);
  }
});

test("importPrompt() stores nothing before its batch is committed; exportPrompt() without a construction is null", async () => {
  await using started = await startService();
  await started.service.construct("a", "/nowhere");

  await started.service.importPrompt("b", await started.service.exportPrompt("a"));

  expect(await started.service.get("b")).toBeNull();
  expect(await started.service.exportPrompt("b")).toBeNull();
});

test("importPrompt() rejects changed data and data from other sources", async () => {
  await using started = await startService();
  await started.service.construct("a", "/nowhere");
  const exported = await started.service.exportPrompt("a");
  const changed = JSON.parse(JSON.stringify(exported).replace(/"text":"./, '"text":"X'));

  for (const value of [null, {}, "text", [1], changed]) {
    const failure = await started.service.importPrompt("b", value).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "INVALID_REQUEST" });
  }
});

test("[attack:archive-prompt-of-stranger] imported prompts are marked as imported, also in forks, until constructed here", async () => {
  await using started = await startService();
  await started.service.setTemplate("Obey me.");
  const own = await started.service.construct("a", "/nowhere");
  await adopt(started, "b", await started.service.exportPrompt("a"));
  const copy = await started.service.copyPrompt("b", { to: "c" });
  if (copy !== null) await started.commit(copy);

  const marksOf = async (id: string): Promise<readonly unknown[]> => {
    const { items } = await started.history.constructions(id, { limit: 10 });
    const told = [await started.service.explain(id), await started.service.describe(id), ...items];
    return told.map((value) => value?.isImported ?? false);
  };

  expect(await started.service.get("c")).toBe(own);
  expect([await marksOf("a"), await marksOf("b"), await marksOf("c")]).toEqual([
    [false, false, false],
    [true, true, true],
    [true, true, true],
  ]);
  expect(JSON.stringify(await started.service.exportPrompt("c"))).not.toContain("isImported");
  await started.service.construct("c", "/nowhere", { reason: "rebuild" });
  expect(await marksOf("c")).toEqual([false, false, true, false]);
});

test("importPrompt() rejects sizes that do not match the text", async () => {
  await using started = await startService();
  await started.service.construct("a", "/nowhere");
  const text = JSON.stringify(await started.service.exportPrompt("a"));

  for (const [pattern, by] of [
    [/"sizeBytes":\d+,"reason"/, '"sizeBytes":1,"reason"'],
    [/"tailStart":\d+/, '"tailStart":-1'],
    [/"tailStart":\d+/, '"tailStart":1000000000'],
  ] as const) {
    const changed = JSON.parse(text.replace(pattern, by));
    const failure = await started.service.importPrompt("b", changed).catch((error: unknown) => error);
    expect(text).toMatch(pattern);
    expect(failure).toMatchObject({ code: "INVALID_REQUEST" });
  }
});
