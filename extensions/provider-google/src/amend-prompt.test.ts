import type { LanguageModelV4Message } from "@ai-sdk/provider";
import { expect, test } from "bun:test";
import { amendPrompt } from "./amend-prompt.ts";

test("amendPrompt identifies each message's author across incremental calls", () => {
  const signed = { google: { thoughtSignature: "c2ln" } };
  const reply: LanguageModelV4Message = {
    role: "assistant",
    content: [{ type: "text", text: "a", providerOptions: signed }],
  };
  const said = (model: string) => ({ role: "assistant", parts: [], model: `google/${model}` }) as const;
  const request = {
    model: "own",
    conversationId: "c",
    cwd: "/work",
    purpose: "turn" as const,
    systemPrompt: [],
    messages: [said("own"), said("other"), said("other"), said("own")],
    tools: [],
    signal: new AbortController().signal,
    observe: () => {},
  };

  expect(amendPrompt([reply, reply], { request, from: 2 })).toEqual([
    { role: "assistant", content: [{ type: "text", text: "a" }] },
    reply,
  ]);
});
