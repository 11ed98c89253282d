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
    description:
      "Lists the extensions, those of the host itself too: which phase they are in, what they were granted, and what went wrong.",
    answer: { extensions: [extension] },
  },
  addExtension: {
    description:
      "Adds an extension from a folder on the host's machine and starts it. Without a grant that covers what it asks for, the answer is `GRANT_REQUIRED` with what that is, and nothing has changed.",
    body: { path: "/home/ada/extensions/weather", grant: { net: ["api.acme.example:443"] } },
    answer: { extension },
  },
  getExtension: {
    description: "Gives one extension: its phase, its grants and refusals, its last swap and its last error.",
    answer: { extension },
  },
  removeExtension: {
    description: "Stops an extension that came from a folder and forgets it with its grant. What it stored stays.",
    answer: { extension, stored: 0 },
  },
  deleteExtensionData: {
    description: "Deletes what was stored under the id of an extension that is not loaded, for good.",
    answer: { deleted: true },
  },
  swapExtension: {
    description:
      "Starts another version of an extension beside the one that runs and lets it take over; calls in flight end on the old one. Where the new one does not start, the old one goes on, and the report says why.",
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
  loadExtension: { description: "Starts an extension that was stopped or has failed.", answer: { extension } },
  unloadExtension: {
    description: "Stops an extension, and first those that cannot do without it; they come back with it.",
    answer: { extension },
  },
} satisfies RouteExamples;
