import { amounts } from "./amounts.ts";

const { count, dollars } = amounts;

export const costsWords = {
  title: "Costs",
  intro:
    "What model calls came to, at the prices that were known when they were sent. What you delete is in no sum any more.",
  range: "Days",
  days: (days: number) => `${days} days`,
  shows: "Bars show",
  measures: { usd: "Money", tokens: "Tokens in" },
  adding: (calls: number) => `Adding up: ${count(calls)} calls so far…`,
  none: "No model was called in these days. Send a message, and what it cost stands here.",
  totals: {
    label: "In all",
    cost: "Cost",
    calls: "Calls",
    tokens: "Tokens in",
    read: (tokens: number) => `${count(tokens)} from the cache`,
    written: "Tokens out",
    wasted: "Broken prefixes cost",
    broken: (calls: number) => `in ${count(calls)} ${calls === 1 ? "call" : "calls"}`,
  },
  unpriced: (calls: number) =>
    `${count(calls)} ${calls === 1 ? "call is" : "calls are"} in no sum of money: no price is known, or the vendor did not report enough.`,
  unreported: (calls: number) =>
    `The vendor reported no tokens of ${count(calls)} ${calls === 1 ? "call" : "calls"}.`,
  chart: "By day",
  nothing: {
    usd: "None of these calls came to any money that is known.",
    tokens: "No vendor has reported tokens of these calls.",
  },
  wasted: "of it, what broken prefixes cost",
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
    wasted: "Broken prefixes",
  },
  withoutConversation: "Calls without a conversation",
  brokenCalls: (calls: number) => `${count(calls)} broken`,
  about: (usd: number) => `≈ ${dollars(usd)}`,
  atMost: (usd: number) => `≤ ${dollars(usd)}`,
  estimated:
    "A sum with ≤ or ≈ holds calls of which the vendor did not report what it read from its cache: all of their input counts at the full price.",
  partly: (usd: number) => `≥ ${dollars(usd)}`,
  more: "Show more",
} as const;
