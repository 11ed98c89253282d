import type { RouteExamples } from "./route-example.ts";
import { conversation } from "./shared-values.ts";

export const turnExamples = {
  createTurn: {
    body: {
      input: "When is high tide?",
      maxCost: 0.5,
      schema: { type: "object", properties: { time: { type: "string" } }, required: ["time"] },
    },
    answer: {
      type: "text-delta",
      seq: 5,
      turnId: "01a208b1-c1b4-74d7-8a7d-5e72f8087be6",
      at: "2026-11-23T13:56:36.938Z",
      stepId: "01a208b1-c1c5-7055-bb6d-f04278567a8b",
      partId: "0",
      text: "I am the offline model: I can only say what I was told.\n",
    },
    asyncAnswer: { turnId: "01a208b1-c1b4-74d7-8a7d-5e72f8087be6" },
  },
  followEvents: {
    answer: {
      type: "turn-end",
      seq: 10,
      turnId: "01a208b1-c1b4-74d7-8a7d-5e72f8087be6",
      at: "2026-11-23T13:56:36.942Z",
      status: "completed",
    },
  },
  stopConversation: {
    answer: { stopped: true },
  },
  getQueue: {
    answer: { queue: [{ turnId: "01a208b1-c1b4-74d7-8a7d-5e72f8087be6", input: "And low tide?", position: 1 }] },
  },
  removeQueuedTurn: {
    answer: { queue: [] },
  },
  resumeConversation: {
    answer: { resumed: 1 },
  },
  answerApproval: {
    body: { decision: "allow" },
    answer: { approvalId: "01a208b1-c1d8-73a5-9e29-a4a01f2b7696", decision: "allow" },
  },
  listAllowed: {
    answer: {
      allowed: [
        {
          id: "01a208b1-c1d8-73a5-9e29-a4a01f2b7696",
          tool: "shell",
          asker: { kind: "host", extension: "workspace-tools" },
          grants: ["shell(git status:*)"],
        },
      ],
    },
  },
  takeBackAllowed: {
    answer: { allowed: [] },
  },
  answerQuestion: {
    body: { action: "accept", content: { city: "Porto", metres: true } },
    answer: { questionId: "01a208b1-c1d8-73a5-9e29-a4a01f2b7697", action: "accept" },
  },
  compactConversation: {
    body: { instructions: "Keep the heights of the tides" },
    answer: {
      conversation: {
        ...conversation,
        title: "Tides of Porto",
        epoch: 2,
        updatedAt: "2026-11-23T13:56:37.112Z",
        lastSeq: 21,
      },
      summary: {
        id: "01a208b1-c278-7114-a820-95a9f588eb5a",
        role: "user",
        parts: [
          {
            type: "text",
            text: "Summary of the conversation so far:\n\nI am the offline model: I can only say what I was told.\nSystem prompt: 452 bytes, SHA-256 ef8fe237dec0ae6436b404cab72dda17a1390168a57c518c430ff594a525a5ca.\nIts first line: You are a helpful assistant.\nTools: none.\nMessages: 5.\nYou said: Sum up our conversation so far, as your instructions say.",
          },
        ],
        turnId: "01a208b1-c271-76f9-91b4-33ee27b65f1d",
        epoch: 2,
        createdAt: "2026-11-23T13:56:37.112Z",
      },
    },
  },
  getConversationTools: {
    answer: {
      tools: [
        {
          name: "read_file",
          description: "Reads a text file of the working folder.",
          inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
          isAvailable: true,
        },
      ],
      leftOut: [],
      deferred: [
        { server: "tickets", reason: "no-room", tools: [{ name: "tickets__create_issue", isAvailable: true }] },
      ],
      sha256: null,
      next: { added: [], removed: [], changed: [], problems: [] },
    },
  },
  getToolOutput: {
    answer: { output: "Tides are in metres.\n", sizeBytes: 21 },
  },
} satisfies RouteExamples;
