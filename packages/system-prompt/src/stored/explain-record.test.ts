import { expect, test } from "bun:test";
import { createTempFolder } from "@incipit/testkit";
import { join } from "node:path";
import { packExplain } from "./explain-record.ts";
import { startService } from "../testing/start-service.ts";

test("packExplain references values in the prompt by range, and others by hash", async () => {
  await using folder = await createTempFolder();
  const rules = "Be kind. ".repeat(1_000);
  await Bun.write(join(folder.path, "rules.md"), rules);
  const template = "[if system:os]<[file:rules.md]>[endif]";
  await using started = await startService({ config: { systemPrompt: template } });
  const options = { defaultCwd: folder.path, defaultModel: "a/b" };
  const { systemPrompt, explain } = await started.service.preview({ cwd: folder.path }, options);

  const { record, texts } = packExplain(explain, systemPrompt);

  expect(texts).toContain(template);
  expect(texts).toContain(process.platform); // Used only in a condition, not inserted.
  expect(texts.filter((text) => text.includes("Be kind"))).toEqual([]);
  expect(record).toMatchObject({
    variables: [
      { name: "os", value: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
      { name: "rules.md", value: { start: 1, end: 1 + rules.length } },
    ],
  });
});
