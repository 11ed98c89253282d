import type { RouteExamples } from "./route-example.ts";
import { explain, conversationPrompt } from "./shared-values.ts";

export const promptExamples = {
  getConversationSystemPrompt: {
    answer: conversationPrompt,
  },
  explainConversation: {
    answer: { explain, leftOutTools: [] },
  },
  getDrift: {
    answer: {
      drift: {
        isSame: true,
        kept: {
          sha256: "c077305c6dc821206822c279338bda8eb3716fa4bb49cced8062e555b87ec983",
          sizeBytes: 59,
          templateVersion: 1,
          reason: "first-turn",
          constructedAt: "2026-11-23T13:56:36.928Z",
        },
        now: {
          sha256: "c077305c6dc821206822c279338bda8eb3716fa4bb49cced8062e555b87ec983",
          sizeBytes: 59,
          templateVersion: 1,
        },
        unified: "",
        isMinimal: true,
        hunks: [],
        rebuildCost: { tokens: { count: 0, method: "estimate" }, firstChangedByte: null, usd: 0 },
      },
    },
  },
  rebuildPrompt: {
    body: {},
    answer: {
      outcome: "nothing-changed",
      systemPrompt: {
        systemPrompt: "You are a helpful assistant.\n\nNotes: Tides are in metres.\n\n",
        sha256: "c077305c6dc821206822c279338bda8eb3716fa4bb49cced8062e555b87ec983",
        reason: "compaction",
        constructedAt: "2026-11-23T13:56:37.106Z",
        templateVersion: 1,
        by: null,
        note: null,
      },
    },
  },
  listConstructions: {
    answer: {
      constructions: [
        {
          sha256: "c077305c6dc821206822c279338bda8eb3716fa4bb49cced8062e555b87ec983",
          sizeBytes: 59,
          reason: "first-turn",
          constructedAt: "2026-11-23T13:56:36.928Z",
          templateVersion: 1,
          by: null,
          note: null,
        },
      ],
    },
  },
  getConstructedText: {
    answer: {
      systemPrompt: "You are a helpful assistant.\n\nNotes: Tides are in metres.\n\n",
      sha256: "c077305c6dc821206822c279338bda8eb3716fa4bb49cced8062e555b87ec983",
    },
  },
} satisfies RouteExamples;
