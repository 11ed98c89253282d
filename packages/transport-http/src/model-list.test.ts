import { defineExtension, type Extension } from "@incipit/kernel";
import { modelProvidersPoint, type ModelFacts, type ModelProvider } from "@incipit/service-contract";
import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { startApi } from "./testing/start-api.ts";

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

test("listModels lists every model, whatever a provider says of its own: what is wrong, late or thrown counts as not known", async () => {
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
    'Cannot list what is known of "throwing/m"',
    'Cannot list what is known of "wrong/m"',
    'Cannot list what is known of "late/m"',
  ]);
});
