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
    answer: { steps: [step] },
  },
  getStepRequest: {
    answer: stepRequest,
  },
  auditConversation: {
    answer: { steps: [auditedStep], summary: auditSummary },
  },
  auditConversations: {
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
    answer: {
      conversationId: "01a208b1-c1a3-7071-a265-0dfaa9270974",
      stepId: "01a208b1-c1c5-7055-bb6d-f04278567a8b",
    },
  },
  getStepRecord: {
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
    body: { model: "offline/echo" },
    answer: { replay },
  },
  listReplays: {
    answer: { replays: [replay] },
  },
  listCosts: {
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
