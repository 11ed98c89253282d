import type { ToldInstructions } from "@incipit/schema";
import type { ModelRequest } from "@incipit/service-contract";
import type { ContentBlock } from "@agentclientprotocol/sdk/unstable";
import type { Greeting } from "./agent-answers.ts";
import { AgentFailure } from "./agent-failure.ts";
import { systemText, type OpenSession } from "./agent-session.ts";
import { historyText } from "./history-text.ts";
import { instructionBlock } from "./instruction-channel.ts";
import { promptBlocks } from "./prompt-blocks.ts";
import { untold } from "./sent-messages.ts";

export interface PromptPlan {
  readonly blocks: readonly ContentBlock[];
  readonly instructions: ToldInstructions | null;
  readonly from: number;
}

type KnownSession = Pick<OpenSession, "by" | "before" | "isReloaded" | "isToldNow">;

/** @throws {AgentFailure} `INPUT_UNSUPPORTED`, and `BAD_REQUEST` when there is nothing to send. */
export function promptPlan(
  request: Pick<ModelRequest, "messages" | "systemPrompt">,
  session: KnownSession,
  { agent, greeting }: { readonly agent: string; readonly greeting: Greeting },
): PromptPlan {
  const { messages } = request;
  const { by, before } = session;
  const { before: unheard, prompt } = untold(messages, before, agent);
  const from = messages.length - prompt.length;
  const said = promptBlocks(prompt, greeting.agentCapabilities.promptCapabilities, agent);
  if (said.length === 0) throw new AgentFailure("BAD_REQUEST", `The message to the agent "${agent}" is empty`);
  const isBlock = by === "block" && before === undefined;
  const openFrom = session.isReloaded ? (before?.openFrom ?? null) : null;
  const blocks: readonly ContentBlock[] = [
    ...(isBlock ? [textBlock(instructionBlock(systemText(request)))] : []),
    ...(openFrom === null
      ? unheard.length === 0
        ? []
        : [textBlock(historyText(unheard, before === undefined ? "new-session" : "meanwhile"))]
      : [textBlock(historyText(messages.slice(openFrom, from), "cut-off"))]),
    ...said,
  ];
  return { blocks, instructions: told(session, isBlock), from };
}

function told({ by, isToldNow }: KnownSession, isBlock: boolean): ToldInstructions | null {
  if (by === null) return null;
  const isNow = by === "block" ? isBlock : isToldNow;
  return { by, told: isNow ? "now" : "before" };
}

function textBlock(text: string): ContentBlock {
  return { type: "text", text };
}
