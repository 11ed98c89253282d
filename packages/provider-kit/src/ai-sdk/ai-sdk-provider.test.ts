import { expect, test } from "bun:test";
import { createAiSdkProvider } from "./ai-sdk-provider.ts";
import type { Vendor } from "./vendor.ts";

const unused = (): never => {
  throw new Error("The test does not use it");
};
const vendor: Vendor = {
  url: "https://api.acme.dev/v1",
  keyHeader: { name: "authorization" },
  growingList: "messages",
  systemPlace: "list",
  toolInput: "text",
  models: ["one", "two"],
  createModel: unused,
  toUsage: unused,
  acceptsFile: () => false,
};

test("createAiSdkProvider offers configured models and the vendor's, without duplicates", () => {
  const endpoint = { models: { mine: {}, two: {} } };
  const net = { webSocket: () => Promise.reject(new Error("Nobody opens a socket here")), fetch: unused };
  const provider = createAiSdkProvider({ id: "acme", vendor, endpoint, net, env: { get: unused } });

  expect(provider.models).toEqual(["mine", "two", "one"]);
});
