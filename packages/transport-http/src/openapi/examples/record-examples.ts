import type { replaySchema } from "@incipit/schema";
import type * as z from "zod";
import type { RouteExamples } from "./route-example.ts";
import {
  auditSummary,
  auditedStep,
  conversation,
  explain,
  noUsage,
  question,
  reply,
  step,
  stepRequest,
} from "./shared-values.ts";

const answer: z.input<typeof replaySchema>["original"] = {
  model: "offline/echo",
  parts: reply.parts,
  usage: noUsage,
  finishReason: "stop",
  error: null,
  durationMs: 7,
  costUsd: null,
};

const replay: z.input<typeof replaySchema> = {
  id: "01a208b1-c25d-727d-83c0-507c57da7a18",
  conversationId: conversation.id,
  stepId: step.id,
  createdAt: "2026-11-23T13:56:37.090Z",
  original: answer,
  replay: { ...answer, durationMs: 6 },
  callId: "01a208b1-c262-756f-9cd4-43260fca67cf",
  notes: [],
};

export const recordExamples = {
  listSteps: {
    description:
      "Lists the model calls of a conversation, oldest first, each with its hashes, tokens and how it ended.",
    answer: { steps: [step] },
  },
  getStepRequest: {
    description:
      "Gives the request of a model call as it left the host, byte for byte but for secrets. What the configuration keeps no longer is gone.",
    answer: stepRequest,
  },
  auditConversation: {
    description:
      "Tells of each model call of a conversation whether its request began with all of the one before, as vendors' caches need it, what broke that, and what it cost.",
    answer: { steps: [auditedStep], summary: auditSummary },
  },
  auditConversations: {
    description:
      "Lists conversations with the sums of their audits, newest first; filters leave others out. A page may have fewer than `limit`, or none, while others follow.",
    answer: {
      conversations: [
        {
          id: "01a208b1-c1a3-7071-a265-0dfaa9270974",
          title: "Tides of Porto",
          model: "offline/echo",
          profile: null,
          archived: false,
          createdAt: "2026-11-23T13:56:36.900Z",
          updatedAt: "2026-11-23T13:56:37.016Z",
          summary: auditSummary,
        },
      ],
      totals: auditSummary,
    },
  },
  findStep: {
    description: "Tells which conversation a recorded model call belongs to.",
    answer: {
      conversationId: "01a208b1-c1a3-7071-a265-0dfaa9270974",
      stepId: "01a208b1-c1c5-7055-bb6d-f04278567a8b",
    },
  },
  getStepRecord: {
    description:
      "Gives all that is kept of a model call in one answer: request, reply, prompt with its explanation, audit. Secrets are left out of every text, so it can be shown to somebody else.",
    answer: {
      conversation: {
        id: "01a208b1-c1a3-7071-a265-0dfaa9270974",
        title: "Tides of Porto",
        cwd: "/home/ada/weather",
        model: "offline/echo",
        profile: null,
        epoch: 1,
        createdAt: "2026-11-23T13:56:36.900Z",
      },
      step,
      request: stepRequest,
      requestProblem: null,
      systemTexts: ["You are a helpful assistant.\n\nNotes: Tides are in metres.\n\n"],
      tools: [],
      deferredTools: [],
      messages: [question],
      reply,
      durationMs: 7,
      explain,
      audit: auditedStep,
      redactions: [],
    },
  },
  replayStep: {
    description:
      "Sends what a recorded model call was given to another model, and gives both answers. No tool runs, and the conversation does not change.",
    body: { model: "offline/echo" },
    answer: { replay },
  },
  listReplays: {
    description: "Lists the replays of a model call, oldest first, with both answers of each.",
    answer: { replays: [replay] },
  },
  listCosts: {
    description:
      "Adds up what model calls took and cost by day, model and conversation, those without a conversation too. Two pages may have parts of the same sum: add them up.",
    answer: {
      costs: [
        {
          day: "2026-11-23",
          model: "anthropic/claude-sonnet-5",
          conversation: { id: conversation.id, title: "Tides" },
          calls: 12,
          broken: 1,
          tokens: { input: 48_200, cacheRead: 39_600, output: 3_100 },
          unreported: 0,
          usd: { total: 0.084, wasted: 0.011 },
          unpriced: 0,
        },
      ],
      limits: {
        maxUsdPerConversation: 5,
        maxUsdPerDay: 20,
        today: "2026-11-23",
        spentToday: { tokens: 51_300, usd: 0.084, unpriced: 0 },
      },
    },
  },
} satisfies RouteExamples;
