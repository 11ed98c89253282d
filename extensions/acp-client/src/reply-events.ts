import type { FinishReason, Usage } from "@incipit/schema";
import type { ModelEvent } from "@incipit/service-contract";
import type { PromptAnswer } from "./agent-answers.ts";
import { AgentFailure } from "./agent-failure.ts";
import { AgentTools } from "./agent-tools.ts";
import type { SessionUpdate, ToolCallChange } from "./session-update.ts";
import { bounded, contentText } from "./tool-text.ts";

type Kind = "text" | "reasoning";

const finishReasons: Readonly<Record<string, FinishReason>> = {
  end_turn: "stop",
  max_tokens: "length",
  refusal: "content-filter",
};

export class ReplyEvents {
  readonly #tools = new AgentTools();
  #part: { readonly kind: Kind; readonly partId: string; readonly messageId: string | null } | undefined;
  #partCount = 0;
  #plan = "";

  take(update: SessionUpdate): readonly ModelEvent[] {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        return this.#say("text", contentText(update.content), update.messageId ?? null);
      case "agent_thought_chunk":
        return this.#say("reasoning", contentText(update.content), update.messageId ?? null);
      case "tool_call":
      case "tool_call_update":
        return this.#call(update);
      case "plan":
        return this.#planned(update.entries);
    }
  }

  ask(call: ToolCallChange): {
    readonly events: readonly ModelEvent[];
    readonly question: ReturnType<AgentTools["question"]> & { readonly toolCallId: string };
  } {
    // Its status does not matter, since it has not run.
    const events = this.#call({ ...call, status: null });
    return { events, question: { toolCallId: call.toolCallId, ...this.#tools.question(call) } };
  }

  /** @throws {AgentFailure} `CUT_OFF` when the agent stopped early, `MAX_STEPS` at its limit of model calls. */
  end({ stopReason, usage }: PromptAnswer): readonly ModelEvent[] {
    if (stopReason === "cancelled")
      throw new AgentFailure("CUT_OFF", "The agent stopped its answer; send your message again");
    if (stopReason === "max_turn_requests")
      throw new AgentFailure(
        "MAX_STEPS",
        "The agent reached its own limit of model calls; ask it to continue, or raise the limit in the agent's configuration",
      );
    const finishReason = finishReasons[stopReason ?? ""] ?? "other";
    return [
      ...this.cut("The agent ended its answer before this call had ended"),
      { type: "finish", usage: usageOf(usage ?? null), finishReason },
    ];
  }

  cut(reason: string): readonly ModelEvent[] {
    return [...this.#endPart(), ...this.#tools.cut(reason)];
  }

  #say(kind: Kind, text: string, messageId: string | null): readonly ModelEvent[] {
    if (text === "") return [];
    const open = this.#part;
    const goesOn = open?.kind === kind && (messageId === null || open.messageId === messageId);
    if (goesOn) return [{ type: `${kind}-delta`, partId: open.partId, text }];
    const ended = this.#endPart();
    const partId = String(this.#partCount++);
    this.#part = { kind, partId, messageId };
    return [...ended, { type: `${kind}-start`, partId }, { type: `${kind}-delta`, partId, text }];
  }

  #call(change: ToolCallChange): readonly ModelEvent[] {
    const events = this.#tools.take(change);
    return events.length === 0 ? [] : [...this.#endPart(), ...events];
  }

  /** Plans are sent as a whole and shown as reasoning when changed. */
  #planned(entries: Extract<SessionUpdate, { sessionUpdate: "plan" }>["entries"]): readonly ModelEvent[] {
    const lines = entries.map(({ content, status }) => `- [${marks.get(status ?? "") ?? " "}] ${content}`);
    const plan = bounded(["Plan:", ...lines].join("\n"));
    if (entries.length === 0 || plan === this.#plan) return [];
    this.#plan = plan;
    const ended = this.#endPart();
    return [...ended, ...this.#say("reasoning", plan, null), ...this.#endPart()];
  }

  #endPart(): readonly ModelEvent[] {
    const part = this.#part;
    if (part === undefined) return [];
    this.#part = undefined;
    return [{ type: `${part.kind}-end`, partId: part.partId }];
  }
}

const marks: ReadonlyMap<string, string> = new Map([
  ["completed", "x"],
  ["in_progress", "~"],
]);

/** Vendors include cache reads in the input or not, which the total reveals. */
function usageOf(usage: PromptAnswer["usage"]): Usage {
  const { totalTokens, inputTokens, outputTokens, thoughtTokens, cachedReadTokens, cachedWriteTokens } =
    usage ?? {};
  const cached = (cachedReadTokens ?? 0) + (cachedWriteTokens ?? 0);
  const isBeside = (totalTokens ?? 0) >= (inputTokens ?? 0) + (outputTokens ?? 0) + cached;
  return {
    inputTokens: typeof inputTokens === "number" ? inputTokens + (isBeside ? cached : 0) : null,
    outputTokens: outputTokens ?? null,
    cacheReadTokens: cachedReadTokens ?? null,
    cacheWriteTokens: cachedWriteTokens ?? null,
    ...(typeof thoughtTokens === "number" ? { reasoningTokens: thoughtTokens } : {}),
  };
}
