import { FakeClock, providerConformance } from "@incipit/testkit";
import { createOfflineProvider } from "./offline-provider.ts";

providerConformance("offline", {
  model: "echo",
  hasWire: false,
  lacks: {
    "stream writes no system field when there is no system text": 'its record says "system":[]; nothing is sent',
  },
  open: () => createOfflineProvider("offline", new FakeClock()),
});
