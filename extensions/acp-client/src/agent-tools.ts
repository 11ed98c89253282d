import type { ModelEvent } from "@incipit/service-contract";
import type { ToolCallChange, ToolContent } from "./session-update.ts";
import { bounded, toolContentText } from "./tool-text.ts";

interface AgentCall {
  readonly name: string;
  title: string;
  rawInput: unknown;
  rawOutput: unknown;
  content: readonly ToolContent[];
}

const tellingKinds = new Set([
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "fetch",
  "think",
  "switch_mode",
]);

/** Whether a final status means failure; the protocol has the first two. */
const endStatuses: ReadonlyMap<string, boolean> = new Map([
  ["completed", false],
  ["failed", true],
  ["cancelled", true],
  ["canceled", true],
  ["error", true],
  ["rejected", true],
]);

export class AgentTools {
  readonly #open = new Map<string, AgentCall>();
  readonly #ended = new Set<string>();

  take(change: ToolCallChange): readonly ModelEvent[] {
    const { toolCallId, status } = change;
    if (this.#ended.has(toolCallId)) return [];
    const begun = this.#change(change);
    const isError = endStatuses.get(status ?? "");
    return isError === undefined ? begun : [...begun, ...this.#end(toolCallId, isError)];
  }

  question({ toolCallId, title, kind, name }: ToolCallChange): {
    readonly name: string;
    readonly input: string;
    readonly preview: string;
    readonly why?: string;
  } {
    const call = this.#open.get(toolCallId);
    const shown = call?.title ?? title ?? "";
    const content = call === undefined ? "" : toolContentText(call.content);
    const isTold =
      (name ?? "") !== "" || tellingKinds.has(kind ?? "") || (call !== undefined && call.name !== otherTool);
    return {
      name: call?.name ?? nameOf({ name, kind }),
      input: bounded(inputOf(call ?? { title: shown, rawInput: undefined })),
      preview: bounded([shown, content].filter((text) => text !== "").join("\n\n")),
      ...(isTold ? {} : { why: "The agent does not say which of its tools this is" }),
    };
  }

  cut(reason: string): readonly ModelEvent[] {
    return [...this.#open.keys()].flatMap((toolCallId) => this.#end(toolCallId, true, reason));
  }

  #change({ toolCallId, title, name, kind, content, rawInput, rawOutput }: ToolCallChange): readonly ModelEvent[] {
    const known = this.#open.get(toolCallId);
    const call = known ?? {
      name: nameOf({ name, kind }),
      title: "",
      rawInput: undefined,
      rawOutput: undefined,
      content: [],
    };
    if (title !== null && title !== undefined) call.title = title;
    // Some agents ask about a call without repeating its arguments.
    if (call.rawInput === undefined || !isEmpty(rawInput)) call.rawInput = rawInput;
    if (rawOutput !== undefined) call.rawOutput = rawOutput;
    if (content !== undefined) call.content = content;
    if (known !== undefined) return [];
    this.#open.set(toolCallId, call);
    return [{ type: "tool-call-start", toolCallId, name: call.name }];
  }

  #end(toolCallId: string, isError: boolean, reason = ""): readonly ModelEvent[] {
    const call = this.#open.get(toolCallId);
    if (call === undefined) return [];
    this.#open.delete(toolCallId);
    this.#ended.add(toolCallId);
    const output = [outputOf(call), reason].filter((text) => text !== "").join("\n");
    return [
      {
        type: "tool-run",
        toolCallId,
        name: call.name,
        input: bounded(inputOf(call)),
        output: bounded(output === "" && isError ? "It failed, and the agent does not say why" : output),
        isError,
      },
    ];
  }
}

const otherTool = "tool";

function nameOf({ name, kind }: Pick<ToolCallChange, "name" | "kind">): string {
  if (name !== null && name !== undefined && name !== "") return name;
  return kind !== null && kind !== undefined && tellingKinds.has(kind) ? kind : otherTool;
}

function isEmpty(rawInput: unknown): boolean {
  if (rawInput === undefined || rawInput === null) return true;
  return typeof rawInput === "object" && Object.keys(rawInput).length === 0;
}

function inputOf({ title, rawInput }: Pick<AgentCall, "title" | "rawInput">): string {
  if (typeof rawInput === "object" && rawInput !== null && !Array.isArray(rawInput))
    return JSON.stringify(rawInput);
  return JSON.stringify(rawInput === undefined || rawInput === null ? { title } : { title, input: rawInput });
}

function outputOf({ content, rawOutput }: AgentCall): string {
  const text = toolContentText(content);
  if (text !== "" || rawOutput === undefined || rawOutput === null) return text;
  return typeof rawOutput === "string" ? rawOutput : JSON.stringify(rawOutput);
}
