import type { RouteExamples } from "./route-example.ts";

export const unattendedExamples = {
  getUnattended: {
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
