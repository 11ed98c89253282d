import { modelsResponseSchema, type Model } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import type { HostProcess } from "../support/host-process.ts";
import { HostWorld } from "../support/host-world.ts";

async function modelsOf(host: HostProcess): Promise<readonly Model[]> {
  return modelsResponseSchema.parse(await host.json("/models")).models;
}

const twoVendors = `
  [providers.openai]
  kind = "openai"
  [providers.openai.models."gpt-5.2"]
  context_window = 1000
  prices = { input = 1, output = 2 }
  [providers.ours]
  kind = "deepseek"
  [providers.anthropic]
  kind = "anthropic"
`;

test("models: the list has known facts and whether each key is set", async () => {
  const env = { DEEPSEEK_API_KEY: "sk-planted-0123456789" };
  await using world = await HostWorld.create({ model: "openai/not-in-any-catalogue", config: twoVendors, env });
  const host = await world.start();

  const models = await modelsOf(host);
  const find = (id: string): Model | undefined => models.find((model) => model.id === id);

  expect(models.map(({ id }) => id)).toEqual(models.map(({ id }) => id).toSorted());
  expect(find("ours/deepseek-flash")).toEqual({
    id: "ours/deepseek-flash",
    provider: "ours",
    isReady: true,
    problem: null,
    isDefault: false,
    facts: {
      contextWindow: 1_000_000,
      maxOutputTokens: 384_000,
      inputs: ["text", "image"],
      prices: { input: 0.3, output: 1.2, cacheRead: 0.006, cacheWrite: null },
      reasoningEfforts: ["none", "low", "high"],
      source: expect.stringMatching(/^catalogue of \d{4}-\d{2}-\d{2}$/),
    },
  });
  expect(find("openai/gpt-5.2")).toMatchObject({
    isReady: false,
    problem: expect.stringContaining("OPENAI_API_KEY"),
    facts: {
      contextWindow: 1_000,
      maxOutputTokens: 128_000,
      prices: { input: 1, output: 2, cacheRead: null, cacheWrite: null },
      source: expect.stringMatching(/^the configuration, and catalogue of /),
    },
  });
  expect(find("anthropic/claude-opus-4-5")).toMatchObject({
    isReady: false,
    problem: expect.stringContaining("ANTHROPIC_API_KEY"),
    facts: { contextWindow: 200_000, prices: { cacheRead: 0.5, cacheWrite: 6.25 } },
  });
  expect(find("openai/not-in-any-catalogue")).toMatchObject({ isDefault: true, isReady: false, facts: null });
  expect(JSON.stringify(models)).not.toContain("sk-planted");
}, 300_000);

test("models: one missing from the catalogue works, with its unknown window logged once", async () => {
  await using world = await HostWorld.create({ model: "local/unheard-of" });
  const host = await world.start();
  const { id } = await host.createConversation();

  const ends = [await host.turn(id, { input: "one" }), await host.turn(id, { input: "two" })].map((events) =>
    events.at(-1),
  );
  const model = (await modelsOf(host)).find((listed) => listed.isDefault);
  await host.kill("SIGTERM");
  const said = (await host.stderr()).split("\n").filter((line) => line.includes("unheard-of"));

  expect(ends).toMatchObject([{ status: "completed" }, { status: "completed" }]);
  expect(model).toMatchObject({ id: "local/unheard-of", isReady: true, facts: null });
  expect(said).toEqual([expect.stringContaining("no catalogue lists it")]);
}, 300_000);

test("models: a profile's unknown provider fails the start, an unknown model its first use", async () => {
  await using refused = await HostWorld.create({
    model: "offline/echo",
    config: '[profiles.a]\nmodel = "nobody/x"\n',
  });
  await using taken = await HostWorld.create({
    model: "offline/echo",
    config: '[profiles.a]\nmodel = "offline/ecoh"\n',
  });

  const start = await refused.run("serve");
  const host = await taken.start();
  const listed = (await modelsOf(host)).find(({ id }) => id === "offline/ecoh");
  const used = await host.fetch("/conversations", { body: { profile: "a" } });

  expect(start).toMatchObject({ exitCode: 1, stdout: "" });
  expect(start.stderr).toContain('key "profiles.a.model" is "nobody/x", and there is no [providers.nobody]');
  expect(listed).toMatchObject({ isReady: false, problem: '"offline" has no model "ecoh"; it has "echo"' });
  expect(used.status).toBe(400);
  expect(await used.json()).toMatchObject({
    error: { code: "MODEL_UNKNOWN", message: expect.stringContaining('"offline/echo"') },
  });
}, 300_000);

test("incipit models prints a table, filters it by words, and prints JSON lines", async () => {
  await using world = await HostWorld.create({ model: "openai/not-in-any-catalogue", config: twoVendors });
  const run = (...args: readonly string[]): ReturnType<HostWorld["run"]> => world.run("models", ...args);

  const table = await run("flash");
  const none = await run("flash", "gpt");
  const json = await run("--json", "gpt-5.2");

  expect(table.stdout.split("\n").map((line) => line.trim().split(/ {2,}/))).toEqual([
    ["model", "window", "reply", "in", "out", "cache read", "cache write", "takes"],
    ["-", "ours/deepseek-flash", "1,000,000", "384,000", "0.3", "1.2", "0.006", "?", "text, image"],
    [""],
  ]);
  expect(table.stderr).toContain("- ours: set DEEPSEEK_API_KEY");
  expect(none).toMatchObject({ exitCode: 0, stdout: "" });
  expect(none.stderr).toContain('"flash" and "gpt"');
  expect(
    json.stdout
      .trim()
      .split("\n")
      .map((line) => modelsResponseSchema.shape.models.element.parse(JSON.parse(line)).id),
  ).toEqual(["openai/gpt-5.2", "openai/gpt-5.2-pro"]);
}, 300_000);
