import type { RouteExamples } from "./route-example.ts";

const asked = { model: "offline/echo", messages: [{ role: "user" as const, content: "When is high tide?" }] };

export const messageExamples = {
  createMessage: {
    body: { ...asked, max_tokens: 1_024 },
    answer: {
      id: "msg_01a208b1-c2b4-74b6-896b-2d2fac10c569",
      type: "message",
      role: "assistant",
      model: "offline/echo",
      content: [
        {
          type: "text",
          text: "I am the offline model: I can only say what I was told.\nSystem prompt: 98 bytes, SHA-256 c0b7024252194e5b6dd6df9de289b08d07b928bb24e625764be0ab22b52a418d.\nIts first line: You are a helpful coding assistant.\nTools: none.\nMessages: 1.\nYou said: When is high tide?",
          citations: null,
        },
      ],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: 0 },
    },
  },
  countMessageTokens: {
    body: asked,
    answer: { input_tokens: 5 },
  },
} satisfies RouteExamples;
