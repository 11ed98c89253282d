import type { RouteExamples } from "./route-example.ts";

export const hostExamples = {
  getHealth: { answer: { status: "ok", version: "0.1.0", problems: [] } },
  listModels: {
    answer: {
      models: [
        {
          id: "offline/echo",
          provider: "offline",
          isReady: true,
          problem: null,
          isDefault: true,
          facts: {
            contextWindow: null,
            maxOutputTokens: null,
            prices: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
            inputs: ["text", "image", "pdf", "audio", "video"],
            source: "the host",
          },
        },
      ],
    },
  },
  listProfiles: { answer: { profiles: [{ name: "reviewer", model: null, hasSystemPrompt: true, problem: null }] } },
  getOpenApi: { answer: { openapi: "3.1.1" } },
} satisfies RouteExamples;
