import type { JsonValue } from "@incipit/kernel";
import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { startService, type StartedService } from "./testing/start-service.ts";

const template = "At [system:time] in [prompt:cwd]:\r\n[file:AGENTS.md]\u{1F9A6}";

async function adopt({ service, commit }: StartedService, id: string, exported: JsonValue): Promise<void> {
  await commit(await service.importPrompt(id, exported));
}

test("importPrompt() keeps what exportPrompt() gave, byte for byte and with how it came about, in another data folder too", async () => {
  await using folder = await createTempFolder();
  await Bun.write(join(folder.path, "AGENTS.md"), "Be kind");
  await using source = await startService();
  await source.service.setTemplate(template);
  const text = await source.service.construct("a", folder.path, { model: "offline/echo" });
  await using target = await startService();

  const exported = await source.service.exportPrompt("a");
  expect(exported).not.toBeNull();
  await adopt(source, "b", exported);
  await adopt(target, "b", exported);

  for (const { service } of [source, target]) {
    expect(await service.get("b")).toBe(text);
    expect(await service.describe("b")).toEqual(await source.service.describe("a"));
    expect(await service.explain("b")).toEqual(await source.service.explain("a"));
    expect(await service.exportPrompt("b")).toEqual(exported);
  }
});

test("importPrompt() stores nothing until its batch is committed; exportPrompt() of what was never constructed is null", async () => {
  await using started = await startService();
  await started.service.construct("a", "/nowhere");

  await started.service.importPrompt("b", await started.service.exportPrompt("a"));

  expect(await started.service.get("b")).toBeNull();
  expect(await started.service.exportPrompt("b")).toBeNull();
});

test("importPrompt() refuses what was not exported, or was changed since", async () => {
  await using started = await startService();
  await started.service.construct("a", "/nowhere");
  const exported = await started.service.exportPrompt("a");
  const changed = JSON.parse(JSON.stringify(exported).replace('"text":"', '"text":"X'));

  for (const value of [null, {}, "text", [1], changed]) {
    const failure = await started.service.importPrompt("b", value).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "INVALID_REQUEST" });
  }
});
