import type { RouteExamples } from "./route-example.ts";

export const chatExamples = {
  createChatCompletion: {
    body: { model: "offline/echo", messages: [{ role: "user", content: "When is high tide?" }] },
    answer: {
      id: "chatcmpl-01a208b1-c2b4-74b6-896b-2d2fac10c569",
      created: 1795442197,
      model: "offline/echo",
      object: "chat.completion",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content:
              "I am the offline model: I can only say what I was told.\nSystem prompt: 98 bytes, SHA-256 c0b7024252194e5b6dd6df9de289b08d07b928bb24e625764be0ab22b52a418d.\nIts first line: You are a helpful coding assistant.\nTools: none.\nMessages: 1.\nYou said: When is high tide?",
            refusal: null,
          },
          logprobs: null,
          finish_reason: "stop",
        },
      ],
    },
  },
  createEmbeddings: {
    body: { model: "openai/text-embedding-3-small", input: ["When is high tide?"], dimensions: 4 },
    answer: {
      object: "list",
      data: [{ object: "embedding", index: 0, embedding: [0.0251, -0.6112, 0.4907, 0.6209] }],
      model: "openai/text-embedding-3-small",
      usage: { prompt_tokens: 5, total_tokens: 5 },
    },
  },
  listChatModels: {
    answer: {
      object: "list",
      data: [
        { id: "default", object: "model", created: 0, owned_by: "incipit" },
        { id: "offline/echo", object: "model", created: 0, owned_by: "offline" },
      ],
    },
  },
  getChatModel: {
    answer: { id: "offline/echo", object: "model", created: 0, owned_by: "offline" },
  },
} satisfies RouteExamples;
