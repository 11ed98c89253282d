import type { RouteExamples } from "./route-example.ts";
import { explain, conversationPrompt } from "./shared-values.ts";

export const promptExamples = {
  getConversationSystemPrompt: {
    description: "Gives the prompt that a conversation keeps and sends, with when and why it was constructed.",
    answer: conversationPrompt,
  },
  explainConversation: {
    description:
      "Explains where each part of the kept prompt came from: the tiers, each variable with its value, each range of the text; and the tools that the model's vendor refuses.",
    answer: { explain, leftOutTools: [] },
  },
  getDrift: {
    description:
      "Compares the kept prompt with the one that construction would give at this moment, tells what made the difference, and what a rebuild would cost. Nothing is stored.",
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
    description:
      "Constructs the prompt of a conversation anew because a person asks for it, and keeps who and why. The next request cannot read from the vendor's cache what comes behind the first change.",
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
    description:
      "Lists every prompt that a conversation had, oldest first, with when and why each was constructed.",
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
    description: "Gives the text of a prompt that the conversation had, by the hash that the list of them has.",
    answer: {
      systemPrompt: "You are a helpful assistant.\n\nNotes: Tides are in metres.\n\n",
      sha256: "c077305c6dc821206822c279338bda8eb3716fa4bb49cced8062e555b87ec983",
    },
  },
} satisfies RouteExamples;
