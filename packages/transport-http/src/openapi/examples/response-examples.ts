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
    description:
      "Calls a model without a conversation, in the shapes of OpenAI's responses, so that programs for those work with this host. The system prompt is that of the host unless `instructions` are there; the call is recorded, and the answer's header `x-incipit-call-id` names the record. Unless `store` is false, the response can be asked for, and gone on from, for as long as that record is kept. With `background` it is answered at once, as `queued`, and goes on without the client: ask for it by its id, follow its events, or cancel it. A token has 16 of those at once.",
    body: { model: "offline/echo", input: "When is high tide?" },
    answer: response,
  },
  getResponse: {
    description:
      "Gives a response that was stored, or that runs in the background, to the token that made it, and to no other. With `stream=true` the answer is the events of one in the background: all of them, or those behind `starting_after`, and then each as it comes. One whose host was stopped before its end has failed as `interrupted`.",
    answer: response,
  },
  deleteResponse: {
    description:
      "Forgets a response, and stops one that runs in the background: nothing can go on from it any more. What was recorded of its call stays.",
    answer: { id, object: "response" as const, deleted: true as const },
  },
  cancelResponse: {
    description:
      "Stops a response that runs in the background, and gives it as it ended: `cancelled`, with what had been said. To ask again gives the same. One that was not made with `background`, or has ended by itself, is refused.",
    answer: cancelled,
  },
  listResponseInput: {
    description:
      "Gives what came with a response that was stored, all of it at once, without what was said before.",
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
