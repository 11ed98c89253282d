export type Family = "chat" | "responses" | "anthropic" | "gemini";

export interface Sayings {
  readonly text: string;
  readonly calls: readonly (readonly [name: string, input: unknown])[];
  /** The host requests no provider-defined tools. */
  readonly vendorCalls?: readonly string[];
  readonly hasFailed: boolean;
}

const vendorTools: Readonly<Record<string, string>> = {
  apply_patch_call: "apply_patch",
  tool_search_call: "tool_search",
  local_shell_call: "local_shell",
  shell_call: "shell",
};

/** The fields of all four protocols; optional, as recordings vary. */
interface Recorded {
  readonly id?: string;
  readonly type?: string;
  readonly index?: number;
  readonly name?: string;
  readonly text?: string;
  readonly thought?: boolean;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly arguments?: string;
  readonly partial_json?: string;
  readonly content?: string | readonly Recorded[] | { readonly parts?: readonly Recorded[] };
  readonly delta?: string | Recorded;
  readonly item?: Recorded;
  readonly message?: { readonly content?: readonly Recorded[] };
  readonly content_block?: Recorded;
  readonly choices?: readonly { readonly delta?: Recorded }[];
  readonly tool_calls?: readonly Recorded[];
  readonly function?: Recorded;
  readonly candidates?: readonly { readonly content?: { readonly parts?: readonly Recorded[] } }[];
  readonly functionCall?: { readonly name?: string; readonly args?: Tree; readonly partialArgs?: readonly Piece[] };
}

type Tree = Record<string, unknown>;

interface Piece {
  readonly jsonPath: string;
  readonly stringValue?: string;
  readonly numberValue?: number;
  readonly boolValue?: boolean;
}

function parseRecorded(line: string): Recorded {
  return JSON.parse(line);
}

interface Block {
  readonly type: string;
  readonly name: string;
  input: string;
  isWhole: boolean;
}

function wholeBlock({ type = "", name = "", input }: Recorded): Block {
  return { type, name, input: JSON.stringify(input ?? {}), isWhole: true };
}

export function splitReplies(family: Family, lines: readonly string[]): readonly (readonly string[])[] {
  const replies: string[][] = [];
  let id: string | undefined;
  let isOver = false;
  for (const line of lines) {
    const value = parseRecorded(line);
    const begins = {
      responses: value.type === "response.created",
      chat: Boolean(value.id) && id !== undefined && value.id !== id,
      anthropic: value.type === "message_start" && isOver,
      gemini: false,
    }[family];
    if (value.id) id = value.id;
    isOver = value.type === "message_stop";
    if (begins || replies.length === 0) replies.push([]);
    replies.at(-1)?.push(line);
  }
  return replies;
}

export function sayings(family: Family, lines: readonly string[]): Sayings {
  return readers[family](lines.map(parseRecorded));
}

function parsed(text: string): unknown {
  return text.trim() === "" ? {} : JSON.parse(text);
}

const readers: Readonly<Record<Family, (events: readonly Recorded[]) => Sayings>> = {
  chat(events) {
    let text = "";
    const calls = new Map<number, { name: string; input: string }>();
    for (const event of events) {
      const { delta } = event.choices?.[0] ?? {};
      const { content } = delta ?? {};
      if (typeof content === "string") text += content;
      else if (Array.isArray(content))
        for (const part of content) if (part.type === "text") text += part.text ?? "";
      for (const call of delta?.tool_calls ?? []) {
        const known = calls.get(call.index ?? 0) ?? { name: "", input: "" };
        if (call.function?.name) known.name = call.function.name;
        known.input += call.function?.arguments ?? "";
        calls.set(call.index ?? 0, known);
      }
    }
    return { text, calls: [...calls.values()].map(({ name, input }) => [name, parsed(input)]), hasFailed: false };
  },
  responses(events) {
    let text = "";
    const calls: (readonly [string, unknown])[] = [];
    const vendorCalls: string[] = [];
    for (const event of events) {
      if (event.type === "response.output_item.done" && event.item?.type === "custom_tool_call")
        vendorCalls.push(event.item.name ?? "");
      const vendorTool = vendorTools[event.item?.type ?? ""];
      if (vendorTool !== undefined) vendorCalls.push(vendorTool);
      const isText = event.type === "response.output_text.delta" || event.type === "response.refusal.delta";
      if (isText && typeof event.delta === "string") text += event.delta;
      if (event.type === "response.output_item.done" && event.item?.type === "function_call")
        calls.push([event.item.name ?? "", parsed(event.item.arguments ?? "")]);
    }
    const hasFailed = events.some(({ type }) => type === "error" || type === "response.failed");
    return { text, calls, vendorCalls, hasFailed };
  },
  anthropic(events) {
    let text = "";
    const all: Block[] = [];
    const blocks = new Map<number, Block>();
    for (const event of events) {
      const { content_block: block, index = 0 } = event;
      const delta = typeof event.delta === "object" ? event.delta : undefined;
      // A new start discards unfinished blocks; it may itself contain complete ones.
      if (event.type === "message_start")
        all.splice(
          0,
          all.length,
          ...all.filter(({ isWhole }) => isWhole),
          ...(event.message?.content ?? []).map(wholeBlock),
        );
      const ended = event.type === "content_block_stop" ? blocks.get(index) : undefined;
      if (ended !== undefined) ended.isWhole = true;
      if (event.type === "content_block_start" && block !== undefined) {
        const { type = "", name = "", input = {} } = block;
        const begun = {
          type,
          name,
          input: Object.keys(input).length > 0 ? JSON.stringify(input) : "",
          isWhole: false,
        };
        blocks.set(index, begun);
        all.push(begun);
        if (type === "text") text += block.text ?? "";
      }
      if (event.type !== "content_block_delta") continue;
      if (delta?.type === "text_delta") text += delta.text ?? "";
      const known = blocks.get(index);
      if (known !== undefined && delta?.type === "input_json_delta") known.input += delta.partial_json ?? "";
    }
    const calls = all.filter(({ type }) => type === "tool_use");
    return { text, calls: calls.map(({ name, input }) => [name, parsed(input)]), hasFailed: false };
  },
  gemini(events) {
    let text = "";
    const calls: [name: string, input: Tree][] = [];
    for (const event of events)
      for (const part of event.candidates?.[0]?.content?.parts ?? []) {
        if (typeof part.text === "string" && part.thought !== true) text += part.text;
        const { name, args = {}, partialArgs = [] } = part.functionCall ?? {};
        if (name !== undefined) calls.push([name, structuredClone(args)]);
        for (const piece of partialArgs) put(calls.at(-1)?.[1] ?? {}, piece);
      }
    return { text, calls, hasFailed: false };
  },
};

/** Such as `$.recipe.steps[0]`. */
function put(target: Tree, { jsonPath, stringValue, numberValue, boolValue }: Piece): void {
  const keys = jsonPath.slice(2).match(/[^.[\]]+/g) ?? [];
  const last = keys.at(-1) ?? "";
  let place = target;
  for (const [index, key] of keys.slice(0, -1).entries()) {
    place[key] ??= /^\d+$/.test(keys[index + 1] ?? "") ? [] : {};
    const next = place[key];
    if (!isTree(next)) throw new TypeError(`${jsonPath} is within a value`);
    place = next;
  }
  const before = place[last];
  if (stringValue !== undefined) place[last] = (typeof before === "string" ? before : "") + stringValue;
  else place[last] = numberValue ?? boolValue ?? null;
}

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null;
}
