import type { RouteExamples } from "./route-example.ts";

export const unattendedExamples = {
  getUnattended: {
    description:
      "Shows the bounds of `[unattended]`, what all of it has used today, and what each schedule and the heartbeat have used on each of the last 31 days. Nothing more is asked of a model once a bound is reached.",
    answer: {
      unattended: {
        timeZone: "Europe/Berlin",
        maxTokensPerDay: null,
        maxUsdPerDay: 2.5,
        today: { tokens: 21_106, usd: 0.043, unpriced: 0 },
      },
      costs: [
        { day: "2026-11-23", schedule: "logs", tokens: 1_842, usd: 0.004, unpriced: 0 },
        { day: "2026-11-23", schedule: null, tokens: 19_264, usd: 0.039, unpriced: 0 },
      ],
    },
  },
} satisfies RouteExamples;
