import type { RouteExamples } from "./route-example.ts";
import { defaultTier, explain, noUsage, stepRequest, unsetTier } from "./shared-values.ts";

const call = {
  id: "01a208b1-c2b4-74b6-896b-2d2fac10c569",
  status: "completed",
  model: "offline/echo",
  profile: null,
  cwd: "/home/ada/weather",
  startedAt: "2026-11-23T13:56:37.172Z",
  endedAt: "2026-11-23T13:56:37.177Z",
  attempts: 1,
  requestSha256: "5e5cc2206fdabd31abe789e68f857e5d053dedf105bc6521cf0ae8165c89c1a6",
  requestSizeBytes: 224,
  systemSha256: "c0b7024252194e5b6dd6df9de289b08d07b928bb24e625764be0ab22b52a418d",
  usage: noUsage,
  responseId: null,
  responseModel: null,
  finishReason: "stop",
  error: null,
  prices: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
} as const;

export const callExamples = {
  listCalls: {
    description:
      "Lists the records of model calls that belong to no conversation, such as those of `POST /v1/chat/completions`, newest first.",
    answer: {
      calls: [
        call,
        {
          ...call,
          id: "01a208b1-c262-756f-9cd4-43260fca67cf",
          startedAt: "2026-11-23T13:56:37.091Z",
          endedAt: "2026-11-23T13:56:37.095Z",
          requestSha256: stepRequest.sha256,
          requestSizeBytes: 187,
          systemSha256: explain.sha256,
        },
      ],
    },
  },
  getCall: {
    description: "Gives the record of one model call: which model, when, how it ended and what it took.",
    answer: { call },
  },
  getCallRequest: {
    description: "Gives the request of a model call as it left the host, byte for byte but for secrets.",
    answer: {
      ...stepRequest,
      body: '{"model":"echo","tools":[],"system":["You are a helpful coding assistant.\\n\\nThe current working directory is /home/ada/weather."],"messages":[{"role":"user","parts":[{"type":"text","text":"When is high tide?"}]}]}',
      sha256: call.requestSha256,
      storedSha256: call.requestSha256,
      at: "2026-11-23T13:56:37.173Z",
    },
  },
  explainCall: {
    description:
      "Gives the system texts that a model call was sent with, and explains where each part of them came from.",
    answer: {
      systemTexts: ["You are a helpful coding assistant.\n\nThe current working directory is /home/ada/weather."],
      explain: {
        model: "offline/echo",
        tiers: [
          unsetTier("request", 1, "texts of the call"),
          unsetTier("profile", 2, "profile"),
          unsetTier("global", 3, "stored template"),
          unsetTier("global", 4, "system_prompt of the configuration"),
          defaultTier(true, "the first that is set"),
        ],
        append: null,
        variables: [
          {
            type: "file",
            name: "AGENTS.md",
            kind: "absent",
            value: null,
            reason: "not-found",
            sizeBytes: 0,
            detail: null,
            source: "/home/ada/weather/AGENTS.md",
            extension: null,
            trust: null,
            tookMs: 2,
          },
          {
            type: "prompt",
            name: "cwd",
            kind: "value",
            value: "/home/ada/weather",
            reason: null,
            sizeBytes: 27,
            detail: null,
            source: "conversation",
            extension: null,
            trust: null,
            tookMs: 1,
          },
        ],
        branches: [],
        ranges: [
          {
            start: 0,
            end: 36,
            origin: "literal",
            name: null,
            tier: "default",
            extension: null,
            branch: null,
            templateStart: 0,
            templateEnd: 36,
          },
          {
            start: 36,
            end: 70,
            origin: "literal",
            name: null,
            tier: "default",
            extension: null,
            branch: null,
            templateStart: 80,
            templateEnd: 114,
          },
          {
            start: 70,
            end: 97,
            origin: "variable",
            name: "prompt:cwd",
            tier: "default",
            extension: null,
            branch: null,
            templateStart: 114,
            templateEnd: 126,
          },
          {
            start: 97,
            end: 98,
            origin: "literal",
            name: null,
            tier: "default",
            extension: null,
            branch: null,
            templateStart: 126,
            templateEnd: 127,
          },
        ],
        segments: [],
        conflicts: [],
        sha256: call.systemSha256,
        sizeBytes: 98,
        templateVersion: null,
      },
      isRedacted: false,
    },
  },
  getCallParts: {
    description:
      "Lists what the request of a model call is made of, each part with its size: what fills the context.",
    answer: {
      parts: [
        {
          kind: "system",
          name: null,
          sizeBytes: 98,
          hasFile: false,
          beginning: "You are a helpful coding assistant.",
        },
        { kind: "message", name: "user", sizeBytes: 69, hasFile: false, beginning: "When is high tide?" },
      ],
    },
  },
} satisfies RouteExamples;
