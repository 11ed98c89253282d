import { modelProvidersPoint } from "@incipit/service-contract";
import { startExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import extension from "./extension.ts";

async function waysOf(written: object): Promise<readonly unknown[]> {
  await using world = await startExtension(extension, {
    config: { providers: { claude: { kind: "anthropic", ...written } } },
    env: { ANTHROPIC_API_KEY: "sk-ant-test" },
  });
  const provider = world.contribution(modelProvidersPoint);
  return ["claude-opus-5", "claude-opus-4-1"].map((model) => provider.takesLookedUpTools?.({ model }));
}

test("takesLookedUpTools defers tools for Anthropic by default, and for others as configured", async () => {
  expect(await waysOf({})).toEqual(["in-requests", undefined]);
  expect(await waysOf({ base_url: "https://api.anthropic.com/v1" })).toEqual(["in-requests", undefined]);
  expect(await waysOf({ base_url: "https://gateway.acme.dev/v1" })).toEqual([undefined, undefined]);
  expect(await waysOf({ base_url: "https://gateway.acme.dev/v1", tool_search: "vendor" })).toEqual([
    "in-requests",
    "in-requests",
  ]);
  expect(await waysOf({ tool_search: "host" })).toEqual([undefined, undefined]);
});
