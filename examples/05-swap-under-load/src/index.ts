import { defineExtension, type Extension } from "@incipit/kernel";
import { modelProvidersPoint } from "@incipit/service-contract";
import { createCounter } from "./counter.ts";
import { words } from "./words.ts";

const extension: Extension = defineExtension(
  { id: "acme.counter", version: "1.0.0", api: "^1", contributes: ["model-providers@1"] },
  (host) => host.contribute(modelProvidersPoint, createCounter(words, host.clock)),
);

export default extension;
