import { extensionSchema } from "@incipit/transport-contract";

/** A minimal extension, as the API returns it. */
export const bareExtension = extensionSchema.parse({
  id: "acme.weather",
  version: "1.2.0",
  trust: "standard",
  path: "/home/ann/weather",
  phase: "active",
  isCodeChanged: false,
  generation: 1,
  since: "2026-01-02T03:04:05.000Z",
  provides: [],
  requires: [],
  uses: [],
  contributes: [],
  reads: [],
  waitsFor: [],
  usedBy: [],
  callsInFlight: 0,
  draining: null,
  asked: {},
  granted: {},
  refusals: { count: 0, latest: [] },
  lastError: null,
  lastSwap: null,
});
