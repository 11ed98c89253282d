import { amounts } from "./amounts.ts";

const { count, dollars } = amounts;

export const costsWords = {
  title: "Costs",
  intro:
    "The cost of model calls, at the prices known when they were sent. Deleted conversations are not included.",
  range: "Days",
  days: (days: number) => `${days} days`,
  shows: "Bars show",
  measures: { usd: "Money", tokens: "Tokens in" },
  adding: (calls: number) => `Adding up: ${count(calls)} calls so far…`,
  none: "No model calls in this period. Send a message to see its cost here.",
  totals: {
    label: "Total",
    cost: "Cost",
    calls: "Calls",
    tokens: "Tokens in",
    read: (tokens: number) => `${count(tokens)} from the cache`,
    written: "Tokens out",
    wasted: "Cost of cache breaks",
    broken: (calls: number) => `in ${count(calls)} ${calls === 1 ? "call" : "calls"}`,
  },
  unpriced: (calls: number) =>
    `${count(calls)} ${calls === 1 ? "call is" : "calls are"} not in these costs: the price is unknown, or the vendor reported too little.`,
  unreported: (calls: number) =>
    `The vendor reported no tokens for ${count(calls)} ${calls === 1 ? "call" : "calls"}.`,
  chart: "By day",
  nothing: {
    usd: "No known cost for these calls.",
    tokens: "No vendor reported tokens for these calls.",
  },
  wasted: "of this, cost of cache breaks",
  others: (models: number) => `${count(models)} other models`,
  barTitle: (day: string, amount: string) => `${day}: ${amount}`,
  tables: { days: "Table of days", models: "Table of models", sources: "Table of conversations" },
  byModel: "By model",
  bySource: "By conversation",
  bySourceOn: (day: string) => `On ${day}, by conversation`,
  allDays: "All days",
  columns: {
    day: "Day",
    model: "Model",
    source: "Conversation",
    calls: "Calls",
    input: "Tokens in",
    read: "From cache",
    output: "Tokens out",
    usd: "Cost",
    wasted: "Cache breaks",
  },
  withoutConversation: "Calls without a conversation",
  brokenCalls: (calls: number) => `${count(calls)} with cache breaks`,
  about: (usd: number) => `≈ ${dollars(usd)}`,
  atMost: (usd: number) => `≤ ${dollars(usd)}`,
  estimated: "Sums with ≤ or ≈ include calls without reported cache reads; their input counts at the full price.",
  partly: (usd: number) => `≥ ${dollars(usd)}`,
  more: "Show more",
} as const;
