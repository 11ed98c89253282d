// Made by "bun run catalogue"; what is wrong here is mended there.
import type { VendorModels } from "../types.ts";

export const deepseek: VendorModels = {
  "deepseek-flash": {
    contextWindow: 1000000,
    maxOutputTokens: 384000,
    inputs: ["text", "image"],
    reasoningEfforts: ["none", "low", "high"],
    prices: { input: 0.3, output: 1.2, cacheRead: 0.006, cacheWrite: null },
  },
  "deepseek-v4-pro": {
    contextWindow: 1000000,
    maxOutputTokens: 384000,
    inputs: ["text"],
    reasoningEfforts: ["none", "high"],
    prices: { input: 1.32, output: 3.96, cacheRead: 0.044, cacheWrite: null },
  },
};
