import type { RouteExamples } from "./route-example.ts";

const id = "resp_01a208b1-c2b4-74b6-896b-2d2fac10c569";

const response = {
  id,
  object: "response" as const,
  created_at: 1795442197,
  conversation: null,
  status: "completed" as const,
  background: false,
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  model: "offline/echo",
  output: [
    {
      type: "message" as const,
      id: "msg_01a208b1-c2b4-74b6-896b-2d2fac10c569_0",
      status: "completed" as const,
      role: "assistant" as const,
      content: [
        {
          type: "output_text" as const,
          text: "I am the offline model: I can only say what I was told.\nSystem prompt: 98 bytes, SHA-256 c0b7024252194e5b6dd6df9de289b08d07b928bb24e625764be0ab22b52a418d.\nIts first line: You are a helpful coding assistant.\nTools: none.\nMessages: 1.\nYou said: When is high tide?",
          annotations: [],
          logprobs: [],
        },
      ],
    },
  ],
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  store: true,
  temperature: null,
  text: { format: { type: "text" } },
  tool_choice: "auto" as const,
  tools: [],
  top_p: null,
  truncation: "disabled" as const,
  usage: null,
};

const cancelled = { ...response, status: "cancelled" as const, background: true, output: [] };

export const responseExamples = {
  createResponse: {
    body: { model: "offline/echo", input: "When is high tide?" },
    answer: response,
  },
  getResponse: {
    answer: response,
  },
  deleteResponse: {
    answer: { id, object: "response" as const, deleted: true as const },
  },
  cancelResponse: {
    answer: cancelled,
  },
  listResponseInput: {
    answer: {
      object: "list" as const,
      data: [
        {
          type: "message",
          role: "user",
          content: "When is high tide?",
          id: "in_01a208b1-c2b4-74b6-896b-2d2fac10c569_0",
        },
      ],
      first_id: "in_01a208b1-c2b4-74b6-896b-2d2fac10c569_0",
      last_id: "in_01a208b1-c2b4-74b6-896b-2d2fac10c569_0",
      has_more: false as const,
    },
  },
} satisfies RouteExamples;
