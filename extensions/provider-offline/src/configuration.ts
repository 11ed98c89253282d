import { defineConfiguration } from "@incipit/kernel";

export const ownName = "offline";

export const configuration = defineConfiguration({
  kinds: () => ({ providers: { offline: {} } }),
  reserves: () => [{ point: "model-providers@1", name: ownName, whose: "the host's own provider" }],
});
