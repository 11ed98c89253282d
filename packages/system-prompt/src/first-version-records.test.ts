import { expect, test } from "bun:test";
import type { JsonValue } from "@incipit/kernel";
import { DEFAULT_TEMPLATE, explainSchema } from "@incipit/schema";
import { startService } from "./testing/start-service.ts";

const namespace = "system-prompt/system-prompt";

/** From the prompt builder's first version, for `Hello [prompt:cwd]` in `/work`. */
function recordsOfBefore(sha256: string, templateSha256: string, defaultSha256: string): Record<string, JsonValue> {
  const at = "2026-01-01T00:00:00.000Z";
  return {
    "resolved:c1": {
      sha256,
      sizeBytes: 11,
      reason: "first-turn",
      constructedAt: at,
      templateVersion: null,
      tailStart: 11,
    },
    "explain:c1": {
      tiers: [
        { tier: "request", source: "texts of the call", won: false, reason: "not set", template: null },
        {
          tier: "global",
          source: "config",
          won: true,
          reason: "the first that is set",
          template: { sha256: templateSha256 },
        },
        {
          tier: "default",
          source: "DEFAULT_TEMPLATE",
          won: false,
          reason: "set",
          template: { sha256: defaultSha256 },
        },
      ],
      variables: [
        {
          type: "prompt",
          name: "cwd",
          kind: "value",
          value: { start: 6, end: 11 },
          reason: null,
          sizeBytes: 5,
          source: "conversation",
          tookMs: 0,
        },
      ],
      ranges: [
        { start: 0, end: 6, origin: "literal", name: null, tier: "global" },
        { start: 6, end: 11, origin: "variable", name: "prompt:cwd", tier: "global" },
      ],
      sha256,
      sizeBytes: 11,
      templateVersion: null,
      estimatedTokens: 3,
    },
  };
}

test("explain() reads records of the first version; missing data is unknown", async () => {
  await using started = await startService({ config: { systemPrompt: "Hello [prompt:cwd]" } });
  await started.service.construct("c1", "/work");
  const now = await started.service.explain("c1");
  const records = recordsOfBefore(
    now?.sha256 ?? "",
    now?.tiers.find(({ won }) => won)?.sha256 ?? "",
    now?.tiers.at(-1)?.sha256 ?? "",
  );
  for (const [key, value] of Object.entries(records))
    await started.storage.atomic([], [{ kind: "set", namespace, key, value }]);

  const explain = explainSchema.parse(await started.service.explain("c1"));

  expect(explain).toMatchObject({ model: null, append: null, branches: [], segments: [], conflicts: [] });
  expect(explain.tiers.map(({ position, template, sha256 }) => [position, template, sha256])).toEqual([
    [1, null, null],
    [2, "Hello [prompt:cwd]", now?.tiers.find(({ won }) => won)?.sha256 ?? ""],
    [3, DEFAULT_TEMPLATE, now?.tiers.at(-1)?.sha256 ?? ""],
  ]);
  expect(explain.variables[0]?.value).toBe("/work");
  expect(explain.ranges).toMatchObject([
    { start: 0, end: 6, origin: "literal", branch: null, templateStart: null },
    { start: 6, end: 11, origin: "variable", name: "prompt:cwd", templateEnd: null },
  ]);
  expect(explain.tokens).toEqual({ count: 3, method: "estimate" });
  expect((await started.service.describe("c1")).systemPrompt).toBe("Hello /work");
});
