import type { RouteExamples } from "./route-example.ts";
import { conversation } from "./shared-values.ts";

export const turnExamples = {
  createTurn: {
    description:
      "Sends a message and gives the events of its turn as they happen, the last of them `turn-end`. The turn runs to its end whether or not anybody reads on; while another one runs, it waits in the queue.",
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
    description:
      "Gives the events of a conversation as a stream: stored ones behind a number, then live ones, each once and in order. It stays open until the client leaves or the host stops.",
    answer: {
      type: "turn-end",
      seq: 10,
      turnId: "01a208b1-c1b4-74d7-8a7d-5e72f8087be6",
      at: "2026-11-23T13:56:36.942Z",
      status: "completed",
    },
  },
  stopConversation: {
    description: "Ends the turn that runs as `cancelled`, its model call and tools too. Turns in the queue go on.",
    answer: { stopped: true },
  },
  getQueue: {
    description: "Lists the turns that wait behind the one that runs, or for somebody to resume them.",
    answer: { queue: [{ turnId: "01a208b1-c1b4-74d7-8a7d-5e72f8087be6", input: "And low tide?", position: 1 }] },
  },
  removeQueuedTurn: {
    description: "Takes a turn that has not begun out of the queue; it ends as `cancelled`.",
    answer: { queue: [] },
  },
  resumeConversation: {
    description:
      "Lets the turns run that were queued when the host ended and wait since it started again. Sending a message does so, too.",
    answer: { resumed: 1 },
  },
  answerApproval: {
    description:
      "Allows or denies a tool call that a person is asked about; the turn goes on at once. A question can be answered once. With `forFolder`, `allow-always` holds in later conversations in that folder, too: this is for the host's own token and its page.",
    body: { decision: "allow" },
    answer: { approvalId: "01a208b1-c1d8-73a5-9e29-a4a01f2b7696", decision: "allow" },
  },
  listAllowed: {
    description:
      "Lists what was allowed for good in the conversation, with `allow-always`. What the configuration or a turn allows is not among it.",
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
    description: "Takes back what was allowed for good: such calls are asked about again, the next one first.",
    answer: { allowed: [] },
  },
  answerQuestion: {
    description:
      "Answers what a tool asks a person, or declines; the call goes on at once. An answer that does not fit is `ANSWER_INVALID`, with the fields in `details`, and the question stays open. What is answered is given to whoever asked, and stored nowhere.",
    body: { action: "accept", content: { city: "Porto", metres: true } },
    answer: { questionId: "01a208b1-c1d8-73a5-9e29-a4a01f2b7697", action: "accept" },
  },
  compactConversation: {
    description:
      "Lets the model sum up the history, which begins a new epoch with that summary and a prompt that is constructed anew. It answers when that is done; where it fails, nothing has changed.",
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
    description:
      "Lists the tools that the requests of this epoch name, and what an epoch that began now would have otherwise. Tool servers are asked, and may start for it.",
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
    description:
      "Gives all that a tool gave for a call of which the model got only the beginning, because it was long.",
    answer: { output: "Tides are in metres.\n", sizeBytes: 21 },
  },
} satisfies RouteExamples;
