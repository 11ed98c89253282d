import type { LanguageModelV4Message } from "@ai-sdk/provider";
import { modelRequest } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { amendPrompt } from "./amend-prompt.ts";

test("amendPrompt identifies each message's author across incremental calls", () => {
  const signed = { google: { thoughtSignature: "c2ln" } };
  const reply: LanguageModelV4Message = {
    role: "assistant",
    content: [{ type: "text", text: "a", providerOptions: signed }],
  };
  const said = (model: string) => ({ role: "assistant", parts: [], model: `google/${model}` }) as const;
  const messages = [said("own"), said("other"), said("other"), said("own")];
  const request = modelRequest({ model: "own", messages });

  expect(amendPrompt([reply, reply], { request, from: 2 })).toEqual([
    { role: "assistant", content: [{ type: "text", text: "a" }] },
    reply,
  ]);
});
