import { defineExtension } from "@incipit/kernel";
import { modelCallsHandle, type ModelCallsService } from "@incipit/service-contract";
import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { startApi } from "../testing/start-api.ts";

const unused = (): never => {
  throw new Error("The test does not use it");
};

test("listCalls returns the next cursor", async () => {
  const pages: unknown[] = [];
  const calls: ModelCallsService = {
    call: unused,
    embed: unused,
    list: async (page) => {
      pages.push(page);
      return { items: [], nextCursor: "next" };
    },
    get: unused,
    request: unused,
    keep: unused,
    kept: unused,
    forget: unused,
    explain: unused,
    parts: unused,
  };
  const extension = defineExtension(
    { id: "acme.calls", version: "1.0.0", api: "^1", provides: ["model-calls@1"] },
    (host) => host.provideService(modelCallsHandle, calls),
  );
  await using api = await startApi({ extensions: [extension] });

  expect(await api.client.call(routes.listCalls, { query: { limit: 3 } })).toEqual({
    calls: [],
    nextCursor: "next",
  });
  expect(pages).toEqual([{ limit: 3 }]);
});
