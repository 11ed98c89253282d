import {
  DEFAULT_TEMPLATE,
  type auditSummarySchema,
  type auditedStepSchema,
  type conversationSchema,
  type conversationSystemPromptResponseSchema,
  type explainSchema,
  type messageSchema,
  type stepRequestResponseSchema,
  type stepSchema,
} from "@incipit/schema";
import type * as z from "zod";

export const noUsage = { inputTokens: null, outputTokens: null, cacheReadTokens: null, cacheWriteTokens: null };

export const conversation: z.input<typeof conversationSchema> = {
  id: "01a208b1-c1a3-7071-a265-0dfaa9270974",
  cwd: "/home/ada/weather",
  model: "offline/echo",
  profile: null,
  title: "Tides",
  forkedFrom: null,
  parent: null,
  importedAt: null,
  allowedTools: null,
  archived: false,
  epoch: 1,
  createdAt: "2026-11-23T13:56:36.900Z",
  updatedAt: "2026-11-23T13:56:36.952Z",
  lastSeq: 19,
  status: "idle",
  approvals: [],
  questions: [],
};

export const question: z.input<typeof messageSchema> = {
  id: "01a208b1-c1b5-7100-8171-a4d3b031bcce",
  role: "user",
  parts: [{ type: "text", text: "When is high tide?" }],
  turnId: "01a208b1-c1b4-74d7-8a7d-5e72f8087be6",
  epoch: 1,
  createdAt: "2026-11-23T13:56:36.917Z",
};

export const reply: z.input<typeof messageSchema> = {
  id: "01a208b1-c1cc-74f1-920d-71ba6941d34d",
  role: "assistant",
  parts: [
    {
      type: "text",
      text: "I am the offline model: I can only say what I was told.\nSystem prompt: 59 bytes, SHA-256 c077305c6dc821206822c279338bda8eb3716fa4bb49cced8062e555b87ec983.\nIts first line: You are a helpful assistant.\nTools: none.\nMessages: 1.\nYou said: When is high tide?",
    },
  ],
  turnId: "01a208b1-c1b4-74d7-8a7d-5e72f8087be6",
  epoch: 1,
  createdAt: "2026-11-23T13:56:36.940Z",
  model: "offline/echo",
};

export const template = "You are a helpful assistant.\n\nNotes: [file:notes.txt]\n";
export const prompt = "You are a helpful assistant.\n\nNotes: Tides are in metres.\n\n";

type Tier = z.input<typeof explainSchema>["tiers"][number];

export function unsetTier(tier: Tier["tier"], position: number, source: string): Tier {
  return { tier, position, source, won: false, reason: "not set", template: null, sha256: null, version: null };
}

export function wonTier(source: string, version: number | null): Tier {
  const sha256 = "a80b9f47221cb786589381141f7c1440d041bebb9db6c9ae37174202c897483c";
  return {
    tier: "global",
    position: 3,
    source,
    won: true,
    reason: "the first that is set",
    template,
    sha256,
    version,
  };
}

export function defaultTier(won: boolean, reason: string): Tier {
  const sha256 = "1006b9490a374a5d3ee1f4f2f99a591dc285e28903e548c04b58599c352351dc";
  const source = "built-in default";
  return { tier: "default", position: 5, source, won, reason, template: DEFAULT_TEMPLATE, sha256, version: null };
}

export const explain: z.input<typeof explainSchema> = {
  model: "offline/echo",
  tiers: [
    unsetTier("request", 1, "texts of the call"),
    unsetTier("profile", 2, "profile"),
    wonTier("stored template", 1),
    unsetTier("global", 4, "system_prompt of the configuration"),
    defaultTier(false, "set, but stored template comes first"),
  ],
  append: null,
  variables: [
    {
      type: "file",
      name: "notes.txt",
      kind: "value",
      value: "Tides are in metres.\n",
      reason: null,
      sizeBytes: 21,
      detail: null,
      source: "/home/ada/weather/notes.txt",
      extension: null,
      trust: "not-trusted",
      tookMs: 6,
    },
  ],
  branches: [],
  ranges: [
    {
      start: 0,
      end: 37,
      origin: "literal",
      name: null,
      tier: "global",
      extension: null,
      branch: null,
      templateStart: 0,
      templateEnd: 37,
    },
    {
      start: 37,
      end: 58,
      origin: "variable",
      name: "file:notes.txt",
      tier: "global",
      extension: null,
      branch: null,
      templateStart: 37,
      templateEnd: 53,
    },
    {
      start: 58,
      end: 59,
      origin: "literal",
      name: null,
      tier: "global",
      extension: null,
      branch: null,
      templateStart: 53,
      templateEnd: 54,
    },
  ],
  segments: [],
  conflicts: [],
  sha256: "c077305c6dc821206822c279338bda8eb3716fa4bb49cced8062e555b87ec983",
  sizeBytes: 59,
  templateVersion: 1,
  tokens: { count: 15, method: "estimate" },
};

export const step: z.input<typeof stepSchema> = {
  id: "01a208b1-c1c5-7055-bb6d-f04278567a8b",
  turnId: "01a208b1-c1b4-74d7-8a7d-5e72f8087be6",
  epoch: 1,
  purpose: "turn",
  model: "offline/echo",
  startedAt: "2026-11-23T13:56:36.933Z",
  endedAt: "2026-11-23T13:56:36.940Z",
  attempts: 1,
  requestSha256: "3e6431309ddb8d1d0889cb95b712f347827a37251db0ed097159d31ec5fd47f9",
  requestSizeBytes: 187,
  systemSha256: "c077305c6dc821206822c279338bda8eb3716fa4bb49cced8062e555b87ec983",
  parts: [
    { part: "tools", sha256: "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945", sizeBytes: 2 },
    { part: "system", sha256: "721edcd0d3c778c436a70bfae356a85fa625fca6e0bc269cd3d82394d19001a3", sizeBytes: 67 },
    {
      part: "message:0",
      sha256: "a082d2236f95ffaa894e6405243363377f0372298074acac1853b6966864330d",
      sizeBytes: 69,
    },
  ],
  firstDifference: null,
  differenceReason: "first-step",
  prefix: {
    measure: "parts",
    sizeBytes: 138,
    previousBytes: null,
    sharedBytes: 0,
    difference: null,
    changes: [],
    promptReason: null,
  },
  requestTierSha256: null,
  isPromptBuilderAbsent: false,
  instructions: null,
  prices: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  usage: noUsage,
  finishReason: "stop",
  error: null,
};

export const stepRequest: z.input<typeof stepRequestResponseSchema> = {
  method: "POST",
  url: "offline:echo",
  headers: {},
  body: '{"model":"echo","tools":[],"system":["You are a helpful assistant.\\n\\nNotes: Tides are in metres.\\n\\n"],"messages":[{"role":"user","parts":[{"type":"text","text":"When is high tide?"}]}]}',
  sha256: "3e6431309ddb8d1d0889cb95b712f347827a37251db0ed097159d31ec5fd47f9",
  storedSha256: "3e6431309ddb8d1d0889cb95b712f347827a37251db0ed097159d31ec5fd47f9",
  isRedacted: false,
  redactions: [],
  at: "2026-11-23T13:56:36.935Z",
};

const { id, turnId, epoch, purpose, model, startedAt, usage, prefix } = step;

export const auditedStep: z.input<typeof auditedStepSchema> = {
  id,
  turnId,
  epoch,
  purpose,
  model,
  startedAt,
  usage,
  verdict: "first",
  reason: "first-step",
  share: null,
  prefix: prefix ?? null,
  inputUsd: null,
  warning: null,
};

export const auditSummary: z.input<typeof auditSummarySchema> = {
  steps: 2,
  held: 1,
  expected: 0,
  broken: 0,
  reasons: { "first-step": 1 },
  previousBytes: 185,
  sharedBytes: 185,
  share: 1,
  tokens: { input: null, cacheRead: null, cacheWrite: null },
  unreportedSteps: 2,
  inputUsd: null,
  pricedSteps: 0,
  firstStepAt: "2026-11-23T13:56:36.933Z",
  lastStepAt: "2026-11-23T13:56:36.949Z",
};

export const conversationPrompt: z.input<typeof conversationSystemPromptResponseSchema> = {
  systemPrompt: prompt,
  sha256: "c077305c6dc821206822c279338bda8eb3716fa4bb49cced8062e555b87ec983",
  reason: "first-turn",
  constructedAt: "2026-11-23T13:56:36.928Z",
  templateVersion: 1,
  by: null,
  note: null,
};
