import { amounts } from "./amounts.ts";

export const callsWords = {
  title: "Calls without a conversation",
  intro:
    "Calls by API clients that send their own history, and replays. The calls of a conversation are in its request inspector.",
  none: "No model calls by API clients yet. See docs/guide/openai-clients.md.",
  table: "Table of calls",
  columns: ["Began", "Model", "State", "Tokens in", "From cache", "Tokens out", "Cost"],
  more: "Show older calls",
  statuses: {
    running: "running",
    completed: "completed",
    failed: "failed",
    cancelled: "stopped by the client",
    interrupted: "interrupted: the host stopped",
  },
  call: "Call",
  all: "All calls",
  state: "State",
  profile: "Profile",
  folder: "Folder",
  cost: "Cost",
  noCost: "unknown: a price or a token count is missing",
  cache: "Cache",
  cached: (share: number) => `${amounts.percent(share)} of the input was read from the vendor's cache.`,
  noneCached: "No cache hit: the vendor read none of the input from its cache.",
  cacheNotReported: "The vendor did not report cache reads.",
  nothingSent: "The host sent no request for this call.",
  partsUnknown: "The request format of this vendor is not supported here; see the raw body.",
} as const;
