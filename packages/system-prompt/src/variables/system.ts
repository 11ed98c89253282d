import { hostname } from "node:os";
import { defineVariables } from "./define-variables.ts";

export const systemVariables = defineVariables({
  type: "system",
  source: "system",
  open: ({ now }) => now.toISOString(),
}).named({
  time: {
    changes: "on each turn",
    isAlwaysThere: true,
    read: (now) => ({ kind: "value", value: now, source: "clock" }),
  },
  date: {
    changes: "each day",
    isAlwaysThere: true,
    read: (now) => ({ kind: "value", value: now.slice(0, "YYYY-MM-DD".length), source: "clock" }),
  },
  os: {
    changes: null,
    isAlwaysThere: true,
    read: () => ({ kind: "value", value: process.platform, source: "process.platform" }),
  },
  hostname: {
    changes: null,
    isAlwaysThere: true,
    read: () => ({ kind: "value", value: hostname(), source: "os.hostname()" }),
  },
});
