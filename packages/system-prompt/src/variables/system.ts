import { hostname } from "node:os";
import type { Outcome } from "../types.ts";
import { defineVariables } from "./define-variables.ts";

const valueOf = (value: string, source: string): Outcome => ({ kind: "value", value, source });
const fixed = { changes: null, isAlwaysThere: true } as const;

export const systemVariables = defineVariables({
  type: "system",
  source: "system",
  open: ({ now }) => now.toISOString(),
}).named({
  time: { changes: "on each turn", isAlwaysThere: true, read: (now) => valueOf(now, "clock") },
  date: {
    changes: "each day",
    isAlwaysThere: true,
    read: (now) => valueOf(now.slice(0, "YYYY-MM-DD".length), "clock"),
  },
  os: { ...fixed, read: () => valueOf(process.platform, "process.platform") },
  hostname: { ...fixed, read: () => valueOf(hostname(), "os.hostname()") },
});
