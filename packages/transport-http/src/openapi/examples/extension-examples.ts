import type { ExtensionInfo } from "@incipit/transport-contract";
import type { RouteExamples } from "./route-example.ts";

const extension: ExtensionInfo = {
  id: "acme.weather",
  version: "1.2.0",
  trust: "standard",
  path: "/home/ada/extensions/weather",
  isCodeChanged: false,
  phase: "active",
  generation: 1,
  since: "2026-11-23T13:56:36.900Z",
  provides: [],
  requires: [],
  uses: [],
  contributes: ["prompt-variables@1"],
  reads: [],
  waitsFor: [],
  usedBy: ["system-prompt"],
  callsInFlight: 0,
  draining: null,
  asked: { net: ["api.acme.example:443"], contributes: ["prompt-variables@1"] },
  granted: { net: ["api.acme.example:443"], contributes: ["prompt-variables@1"] },
  refusals: { count: 0, latest: [] },
  lastError: null,
  lastSwap: null,
};

export const extensionExamples = {
  listExtensions: {
    answer: { extensions: [extension] },
  },
  addExtension: {
    body: { path: "/home/ada/extensions/weather", grant: { net: ["api.acme.example:443"] } },
    answer: { extension },
  },
  getExtension: {
    answer: { extension },
  },
  removeExtension: {
    answer: { extension, stored: 0 },
  },
  deleteExtensionData: {
    answer: { deleted: true },
  },
  swapExtension: {
    body: { path: "/home/ada/extensions/weather" },
    answer: {
      outcome: "swapped",
      from: { version: "1.2.0", generation: 1 },
      to: { version: "1.3.0", generation: 2 },
      drained: 1,
      cut: 0,
      tookMs: 14,
      at: "2026-11-23T13:56:36.900Z",
    },
  },
  loadExtension: { answer: { extension } },
  unloadExtension: {
    answer: { extension },
  },
} satisfies RouteExamples;
