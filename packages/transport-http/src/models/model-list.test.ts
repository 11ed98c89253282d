import { defineExtension, type Extension } from "@incipit/kernel";
import type { ModelFacts } from "@incipit/schema";
import { modelProvidersPoint, type ModelProvider } from "@incipit/service-contract";
import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { modelProblem } from "./model-problem.ts";
import { startApi } from "../testing/start-api.ts";

const honest: ModelFacts = {
  contextWindow: 1_000,
  maxOutputTokens: null,
  prices: null,
  inputs: ["text"],
  source: "the vendor",
};

function providers(facts: Readonly<Record<string, NonNullable<ModelProvider["facts"]>>>): Extension {
  return defineExtension(
    { id: "acme.models", version: "1.0.0", api: "^1", contributes: ["model-providers@1"] },
    (host) => {
      for (const [id, say] of Object.entries(facts))
        host.contribute(modelProvidersPoint, {
          id,
          models: ["m"],
          problem: null,
          facts: say,
          stream: async function* () {},
        });
    },
  );
}

test("listModels treats invalid, late or failing facts of a provider as unknown", async () => {
  await using api = await startApi({
    extensions: [
      providers({
        good: async () => honest,
        late: () => new Promise(() => {}),
        throwing: async () => {
          throw new Error("no idea");
        },
        wrong: async () => ({ ...honest, contextWindow: Number.POSITIVE_INFINITY }),
      }),
    ],
  });

  const listed = api.client.call(routes.listModels);
  const { models } = await api.clock.advanceUntil(listed);

  expect(models.map(({ id, facts }) => [id, facts])).toEqual([
    ["good/m", honest],
    ["late/m", null],
    ["offline/echo", null],
    ["throwing/m", null],
    ["wrong/m", null],
  ]);
  expect(api.logged.map(({ message }) => message)).toEqual([
    'Cannot describe the model "throwing/m"',
    'Cannot describe the model "wrong/m"',
    'Cannot describe the model "late/m"',
  ]);
});

test("listModels includes models of profiles, marks the default, and reports problems", async () => {
  const closed = defineExtension(
    { id: "acme.closed", version: "1.0.0", api: "^1", contributes: ["model-providers@1"] },
    (host) => {
      const stream = async function* (): AsyncGenerator<never> {};
      host.contribute(modelProvidersPoint, {
        id: "closed",
        models: ["a"],
        isClosedList: true,
        problem: null,
        stream,
      });
      host.contribute(modelProvidersPoint, { id: "keyless", models: ["a"], problem: "it has no key", stream });
    },
  );
  const profiles = [
    { name: "one", model: "closed/b" },
    { name: "two", model: "keyless/b" },
    { name: "none" },
    { name: "odd", model: "nobody/x" },
  ];
  await using api = await startApi({ extensions: [closed], defaults: { profiles, model: "closed/a" } });

  const { models } = await api.client.call(routes.listModels);

  expect(models.map(({ id, isReady, isDefault, problem }) => [id, isReady, isDefault, problem])).toEqual([
    ["closed/a", true, true, null],
    ["closed/b", false, false, '"closed" has no model "b"; it has "a"'],
    ["keyless/a", false, false, "it has no key"],
    ["keyless/b", false, false, "it has no key"],
    ["nobody/x", false, false, 'unknown provider "nobody"'],
  ]);
});

test("modelProblem quotes a name without a provider or model", () => {
  const none = { current: [], onChange: () => () => {} };

  expect(modelProblem(none, "echo")).toBe('unknown provider "echo"');
  expect(modelProblem(none, "/echo")).toBe('unknown provider "/echo"');
  expect(modelProblem(none, "a/b/c")).toBe('unknown provider "a"');
});
