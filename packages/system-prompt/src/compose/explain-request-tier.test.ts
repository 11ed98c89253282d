import { expect, test } from "bun:test";
import type { PreviewSystemPromptRequest } from "@incipit/schema";
import { startService } from "../testing/start-service.ts";

interface Told {
  readonly texts: readonly string[];
  readonly parts: readonly string[];
  readonly requestTier: string | undefined;
}

async function told(
  config: Readonly<Record<string, string>>,
  request: Pick<PreviewSystemPromptRequest, "system" | "systemMode">,
): Promise<Told> {
  await using started = await startService({ config });
  const { systemTexts, systemPrompt, explain } = await started.service.preview(
    { cwd: "/work", ...request },
    { defaultCwd: "/work", defaultModel: "a/b" },
  );
  return {
    texts: systemTexts,
    parts: explain.ranges.map(
      ({ origin, tier, start, end }) => `${origin} of ${tier}: ${systemPrompt.slice(start, end)}`,
    ),
    requestTier: explain.tiers.find(({ tier }) => tier === "request")?.template ?? undefined,
  };
}

const config = { systemPrompt: "Base.", appendSystemPrompt: "Appended." };
const gap = "separator of request: \n\n";

test("preview() explains each part of appended request texts", async () => {
  expect(await told(config, { system: ["One.", " ", "Two."], systemMode: "append" })).toEqual({
    texts: ["Base.\n\nAppended.", "One.", "Two."],
    parts: [
      "literal of global: Base.",
      "separator of append: \n\n",
      "append of append: Appended.",
      gap,
      "request of request: One.",
      gap,
      "request of request: Two.",
    ],
    requestTier: "One.\n\nTwo.",
  });
});

test("preview() explains the parts joined to the last text that replaces the base", async () => {
  expect(await told(config, { system: ["One.", "Two."], systemMode: "replace" })).toEqual({
    texts: ["One.", "Two.\n\nAppended."],
    parts: [
      "request of request: One.",
      gap,
      "request of request: Two.",
      "separator of append: \n\n",
      "append of append: Appended.",
    ],
    requestTier: "One.\n\nTwo.",
  });
});

test("preview() with blank or no base contains only the remaining texts", async () => {
  expect(await told(config, { system: [" "], systemMode: "replace" })).toEqual({
    texts: ["Appended."],
    parts: ["append of append: Appended."],
    requestTier: "",
  });
  expect(await told({ systemPrompt: "" }, { system: ["One."], systemMode: "append" })).toEqual({
    texts: ["One."],
    parts: ["request of request: One."],
    requestTier: "One.",
  });
  expect(await told(config, { system: [], systemMode: "replace" })).toMatchObject({
    texts: ["Base.\n\nAppended."],
  });
});
