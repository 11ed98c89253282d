import type { RouteExamples } from "./route-example.ts";
import { conversation, question, reply } from "./shared-values.ts";

export const conversationExamples = {
  createConversation: {
    description:
      "Begins a conversation in a folder, with a model and perhaps a profile. Its system prompt is constructed with its first turn, from what `system` gives it where that is there.",
    body: { title: "Tides", system: "You know the sea.", systemMode: "append" },
    answer: {
      conversation: {
        ...conversation,
        updatedAt: conversation.createdAt,
        lastSeq: 0,
      },
    },
  },
  listConversations: {
    description:
      "Lists conversations, newest first, a page at a time. A page may have fewer than `limit`, or none, while others follow: go on until there is no `nextCursor`.",
    answer: { conversations: [conversation] },
  },
  searchConversations: {
    description:
      "Finds conversations that have all the words of `q` in their title or in one message; case and accents make no difference. A request searches a bounded part, so a page may have few results, or none, while others follow.",
    answer: {
      results: [
        {
          conversation,
          matches: [
            { messageId: null, role: null, snippet: "Tides", ranges: [{ start: 0, end: 4 }] },
            {
              messageId: "01a208b1-c1d8-73a5-9e29-a4a01f2b7696",
              role: "assistant",
              snippet: "Tools: none. Messages: 3. You said: And low tide?",
              ranges: [{ start: 44, end: 48 }],
            },
            {
              messageId: "01a208b1-c1d3-7747-a058-f78107156944",
              role: "user",
              snippet: "And low tide?",
              ranges: [{ start: 8, end: 12 }],
            },
          ],
        },
      ],
    },
  },
  getConversation: {
    description: "Gives one conversation as it is at this moment, with the tool calls that wait for an answer.",
    answer: { conversation },
  },
  listTasks: {
    description:
      "Lists the tasks that the calls of a conversation have given to others, newest first, with what each has cost and what those below it have, also while they run. Their conversations are archived from the beginning.",
    answer: {
      tasks: [
        {
          conversation: {
            ...conversation,
            id: "01a208b1-c1f4-7a1e-8b11-5a3de1d0c9aa",
            title: "Look for the tables of Porto",
            profile: "reader",
            parent: {
              conversationId: conversation.id,
              turnId: reply.turnId,
              toolCallId: "call_1",
              depth: 1,
            },
            archived: true,
          },
          spent: { tokens: 4_204, usd: 0.0121, unpriced: 0 },
          spentBelow: { tokens: 0, usd: 0, unpriced: 0 },
        },
      ],
      spent: { tokens: 4_204, usd: 0.0121, unpriced: 0 },
    },
  },
  forkConversation: {
    description:
      "Begins a conversation that has the same prompt, tools and messages up to a point, so that its next request begins with the same bytes. Nothing of its source changes.",
    body: { after: "01a208b1-c1cc-74f1-920d-71ba6941d34d" },
    answer: {
      conversation: {
        ...conversation,
        id: "01a208b1-c1ef-71d2-a3e8-b4c0422371eb",
        forkedFrom: { conversationId: conversation.id, messageId: reply.id },
        createdAt: "2026-11-23T13:56:36.976Z",
        updatedAt: "2026-11-23T13:56:36.976Z",
        lastSeq: 0,
      },
    },
  },
  updateConversation: {
    description:
      "Gives a conversation a title, another folder, model, profile or system texts, archives it or brings it back, also while a turn runs. The prompt that it keeps stays until it is constructed anew, by a compaction or a rebuild. What the body does not name stays as it is.",
    body: { title: "Tides of Porto" },
    answer: {
      conversation: {
        ...conversation,
        title: "Tides of Porto",
        updatedAt: "2026-11-23T13:56:37.016Z",
      },
    },
  },
  exportConversation: {
    description:
      "Gives all that is kept of a conversation as JSON Lines. The last line has the type `end`: without it the export was cut off. It is refused while something runs.",
    answer: [
      { type: "incipit-conversation", version: 1 },
      { type: "end", records: 33 },
    ],
  },
  importConversation: {
    description:
      "Keeps a conversation from an export under the id that it had: all of it, or nothing. Its tools ask for its folder before they use it, and what would grant something is refused.",
    body: [{ type: "incipit-conversation", version: 1 }],
    answer: { conversation },
  },
  deleteConversation: {
    description:
      "Ends what runs and waits in a conversation and deletes all that is stored of it and of its tasks, for good. It answers when nothing of it can be found in the storage any more.",
    answer: { deleted: true },
  },
  listMessages: {
    description:
      "Lists the messages of all epochs of a conversation, a page at a time, from the oldest or from the newest on. System texts are not messages.",
    answer: { messages: [question, reply], nextCursor: "000000000001" },
  },
} satisfies RouteExamples;
