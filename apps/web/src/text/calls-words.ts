import { amounts } from "./amounts.ts";

export const callsWords = {
  title: "Calls without a conversation",
  intro:
    "Those of programs that speak OpenAI's protocol and bring their own history, and replays. The calls of a conversation are in it, under “What the model was told”.",
  none: "No program has called a model here yet. The guide says how: docs/guide/openai-clients.md.",
  table: "Table of calls",
  columns: ["Began", "Model", "State", "Tokens in", "From cache", "Tokens out", "Cost"],
  more: "Show older calls",
  statuses: {
    running: "running",
    completed: "completed",
    failed: "failed",
    cancelled: "stopped by its caller",
    interrupted: "cut off when the host ended",
  },
  call: "Call",
  all: "All calls",
  state: "State",
  profile: "Profile",
  folder: "Folder",
  cost: "Cost",
  noCost: "not known: a price or a count is missing",
  cache: "Cache",
  cached: (share: number) => `${amounts.percent(share)} of the input was read from the vendor's cache.`,
  noneCached: "The vendor read nothing of it from its cache.",
  cacheNotReported: "The vendor did not report what it read from its cache.",
  nothingSent: "No request left the host for it.",
  partsUnknown: "Its vendor writes requests in a way that is not known here: the raw body has all of it.",
} as const;
