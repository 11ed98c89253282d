// Made by "bun run catalogue"; what is wrong here is mended there.
import type { VendorModels } from "../types.ts";

export const anthropic: VendorModels = {
  "claude-fable-5": {
    contextWindow: 1000000,
    maxOutputTokens: 128000,
    inputs: ["text", "image", "pdf"],
    prices: { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 },
  },
  "claude-fable-5-1": {
    contextWindow: 1000000,
    maxOutputTokens: 128000,
    inputs: ["text", "image", "pdf"],
    prices: { input: 10, output: 50, cacheRead: 0.25, cacheWrite: 12.5 },
  },
  "claude-fable-5-2": {
    contextWindow: 1000000,
    maxOutputTokens: 128000,
    inputs: ["text", "image", "pdf"],
    prices: { input: 8, output: 40, cacheRead: 0.2, cacheWrite: 10 },
  },
  "claude-haiku-4-5": {
    contextWindow: 200000,
    maxOutputTokens: 64000,
    inputs: ["text", "image", "pdf"],
    prices: { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
  },
  "claude-haiku-4-5-20251001": {
    contextWindow: 200000,
    maxOutputTokens: 64000,
    inputs: ["text", "image", "pdf"],
    prices: { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
  },
  "claude-haiku-5-5": {
    contextWindow: 1000000,
    maxOutputTokens: 128000,
    inputs: ["text", "image", "pdf"],
    prices: {
      input: 0.1,
      output: 0.5,
      cacheRead: 0.01,
      cacheWrite: 0.125,
      longInput: { aboveTokens: 100000, input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite: 0.625 },
    },
  },
  "claude-opus-4-5": {
    contextWindow: 200000,
    maxOutputTokens: 64000,
    inputs: ["text", "image", "pdf"],
    prices: { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  },
  "claude-opus-4-5-20251101": {
    contextWindow: 200000,
    maxOutputTokens: 64000,
    inputs: ["text", "image", "pdf"],
    prices: { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  },
  "claude-opus-4-6": {
    contextWindow: 1000000,
    maxOutputTokens: 128000,
    inputs: ["text", "image", "pdf"],
    prices: { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  },
  "claude-opus-4-7": {
    contextWindow: 1000000,
    maxOutputTokens: 128000,
    inputs: ["text", "image", "pdf"],
    prices: { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  },
  "claude-opus-4-8": {
    contextWindow: 1000000,
    maxOutputTokens: 128000,
    inputs: ["text", "image", "pdf"],
    prices: { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  },
  "claude-opus-5": {
    contextWindow: 1000000,
    maxOutputTokens: 128000,
    inputs: ["text", "image", "pdf"],
    prices: { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  },
  "claude-opus-5-5": {
    contextWindow: 1000000,
    maxOutputTokens: 128000,
    inputs: ["text", "image", "pdf"],
    prices: { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 },
  },
  "claude-sonnet-4-5": {
    contextWindow: 200000,
    maxOutputTokens: 64000,
    inputs: ["text", "image", "pdf"],
    prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  },
  "claude-sonnet-4-5-20250929": {
    contextWindow: 200000,
    maxOutputTokens: 64000,
    inputs: ["text", "image", "pdf"],
    prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  },
  "claude-sonnet-4-6": {
    contextWindow: 1000000,
    maxOutputTokens: 128000,
    inputs: ["text", "image", "pdf"],
    prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  },
  "claude-sonnet-5": {
    contextWindow: 1000000,
    maxOutputTokens: 128000,
    inputs: ["text", "image", "pdf"],
    prices: { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
  },
  "claude-sonnet-5-5": {
    contextWindow: 1000000,
    maxOutputTokens: 128000,
    inputs: ["text", "image", "pdf"],
    prices: { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 },
  },
};
