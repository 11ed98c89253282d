import type { SessionUpdate, ToolCallStatus } from "@agentclientprotocol/sdk/unstable";
import { calledTool, type Approval, type MessagePart, type TurnEvent } from "@incipit/schema";
import { toolOutput, toolView, type ToolView } from "../tools/tool-view.ts";

type EventOf<Type extends TurnEvent["type"]> = Extract<TurnEvent, { type: Type }>;
type PartEvent = EventOf<
  "text-start" | "text-delta" | "text-end" | "reasoning-start" | "reasoning-delta" | "reasoning-end"
>;
export type SaidEvent =
  | PartEvent
  | EventOf<
      | "tool-call-start"
      | "tool-call-progress"
      | "tool-call-end"
      | "approval-request"
      | "approval-end"
      | "question-request"
      | "question-end"
    >;

interface KnownCall {
  readonly name: string;
  readonly input?: string;
  readonly preview?: string;
}

export class TurnUpdates {
  #cwd: string;
  /** UTF-16 units. */
  readonly #told = new Map<string, number>();
  readonly #calls = new Map<string, KnownCall>();
  /** A status never goes back. */
  readonly #running = new Set<string>();
  readonly #asked = new Map<string, string>();

  constructor({ cwd }: { readonly cwd: string }) {
    this.#cwd = cwd;
  }

  moveTo(cwd: string): void {
    this.#cwd = cwd;
  }

  get hasUnknownInput(): boolean {
    return [...this.#calls.values()].some(({ input }) => input === undefined);
  }

  clear(): void {
    this.#told.clear();
    this.#calls.clear();
    this.#running.clear();
    this.#asked.clear();
  }

  take(event: SaidEvent): readonly SessionUpdate[] {
    switch (event.type) {
      case "tool-call-start":
        return [this.#begin(event)];
      case "approval-request": {
        const { approvalId, toolCallId, name, input, preview } = event;
        this.#asked.set(approvalId, toolCallId);
        return this.#change(toolCallId, { name, input, ...(preview === undefined ? {} : { preview }) });
      }
      case "approval-end": {
        const toolCallId = this.#asked.get(event.approvalId);
        this.#asked.delete(event.approvalId);
        if (toolCallId === undefined || event.decision === "deny") return [];
        return this.#start(toolCallId);
      }
      case "question-request":
        this.#asked.set(event.questionId, event.toolCallId);
        return [];
      case "question-end":
        this.#asked.delete(event.questionId);
        return [];
      case "tool-call-progress":
        return this.#progress(event);
      case "tool-call-end":
        return this.#end(event);
      default:
        return this.#part(event);
    }
  }

  /** Calls are pending first, since they may need approval. */
  takeCalls(parts: readonly MessagePart[]): readonly SessionUpdate[] {
    return parts.flatMap((part) => {
      if (part.type !== "tool-call" || this.#calls.get(part.toolCallId)?.input !== undefined) return [];
      return this.#change(part.toolCallId, calledTool(part));
    });
  }

  startUnasked(): readonly SessionUpdate[] {
    const asked = new Set(this.#asked.values());
    return [...this.#calls].flatMap(([toolCallId, { input }]) =>
      input === undefined || asked.has(toolCallId) ? [] : this.#start(toolCallId),
    );
  }

  viewOf({ name, input, preview }: Pick<Approval, "name" | "input" | "preview">): ToolView {
    return toolView({ name, input, preview, cwd: this.#cwd });
  }

  #part(event: PartEvent): readonly SessionUpdate[] {
    const key = `${event.stepId}/${event.partId}`;
    const told = this.#told.get(key);
    let { text } = event;
    if (event.type === "text-end" || event.type === "reasoning-end") {
      // Nothing of a part whose start was missed.
      text = told === undefined ? "" : text.slice(told);
      this.#told.delete(key);
    } else if (told !== undefined || event.type.endsWith("-start")) this.#told.set(key, (told ?? 0) + text.length);
    if (text === "") return [];
    const sessionUpdate = event.type.startsWith("text") ? "agent_message_chunk" : "agent_thought_chunk";
    return [{ sessionUpdate, content: { type: "text", text }, messageId: event.stepId }];
  }

  #begin({ toolCallId, name }: { readonly toolCallId: string; readonly name: string }): SessionUpdate {
    this.#calls.set(toolCallId, { name });
    const { title, kind } = toolView({ name, cwd: this.#cwd });
    return { sessionUpdate: "tool_call", toolCallId, title, name, kind, status: "pending" };
  }

  #start(toolCallId: string): readonly SessionUpdate[] {
    if (this.#running.has(toolCallId)) return [];
    this.#running.add(toolCallId);
    return [{ sessionUpdate: "tool_call_update", toolCallId, status: "in_progress" }];
  }

  /** @param status Unchanged if absent. */
  #change(toolCallId: string, call: KnownCall, status?: ToolCallStatus): readonly SessionUpdate[] {
    const begun = this.#calls.has(toolCallId) ? [] : [this.#begin({ toolCallId, name: call.name })];
    this.#calls.set(toolCallId, call);
    const { title, kind, locations, content, rawInput } = toolView({ ...call, cwd: this.#cwd });
    const shown = content.length === 0 ? {} : { content };
    const changed = status === undefined ? {} : { status };
    const update = { toolCallId, title, kind, locations, rawInput, ...changed, ...shown };
    return [...begun, { sessionUpdate: "tool_call_update", ...update }];
  }

  /** Shown in place of the output until the call ends. */
  #progress({
    toolCallId,
    name,
    progress,
    total,
    message,
  }: EventOf<"tool-call-progress">): readonly SessionUpdate[] {
    const begun = this.#calls.has(toolCallId) ? [] : [this.#begin({ toolCallId, name })];
    const share = total === undefined ? String(progress) : `${progress} of ${total}`;
    const text = message === undefined ? share : `${share}: ${message}`;
    const content = [{ type: "content" as const, content: { type: "text" as const, text } }];
    return [...begun, ...this.#start(toolCallId), { sessionUpdate: "tool_call_update", toolCallId, content }];
  }

  #end({ toolCallId, name, input, output, error }: EventOf<"tool-call-end">): readonly SessionUpdate[] {
    const before = this.#calls.get(toolCallId);
    const changes = this.#change(
      toolCallId,
      { ...before, name, input },
      error === undefined ? "completed" : "failed",
    );
    this.#calls.delete(toolCallId);
    this.#running.delete(toolCallId);
    const view = toolView({ ...before, name, input, cwd: this.#cwd });
    const text = error?.message ?? output ?? "";
    const content = toolOutput(view, { text, isError: error !== undefined });
    return changes.map((update) => (update.sessionUpdate === "tool_call_update" ? { ...update, content } : update));
  }
}
