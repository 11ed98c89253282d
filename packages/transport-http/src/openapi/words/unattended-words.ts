import type { FieldWords } from "./field-words.ts";

/** Fields of the budget for autonomous runs. */
export const unattendedWords: FieldWords = {
  "getUnattended.unattended": "What may be spent in a day without a person, and what was today",
  "getUnattended.unattended.timeZone": "Where its days begin",
  "getUnattended.unattended.maxTokensPerDay":
    "The input and output tokens of all of it, after which nothing more is asked; `null`: no bound",
  "getUnattended.unattended.maxUsdPerDay": "The same in US dollars; `null`: no bound",
  "getUnattended.unattended.today": "What all of it came to today",
  "getUnattended.costs": "By day and schedule, the newest day first; a page may have none while others follow",
  "getUnattended.unattended.today.tokens": "Input and output tokens, as far as the vendors report them",
  "getUnattended.costs.tokens": "Input and output tokens, as far as the vendors report them",
  "getUnattended.costs.day": "The day, as `YYYY-MM-DD`",
  "getUnattended.costs.schedule": "The schedule; `null`: the heartbeat",
  usd: "US dollars, at the prices that were known when the calls were sent",
  unpriced: "Model calls that are not in that sum: no price is known, or the vendor reports no tokens",
  usdToday: "What they cost in US dollars, as far as prices are known",
  unpricedToday: "Calls of them that are not in that sum",
};
