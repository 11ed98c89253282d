import type { FilePart, MessagePart, ModelMessage } from "@incipit/schema";
import type { ChatDialect } from "./chat-request.ts";
import { noText, type ChatRules } from "./chat-rules.ts";

export interface ChatMessageOptions {
  readonly dialect: ChatDialect;
  /** What the endpoint of a model takes; absent: whatever the protocol has. */
  readonly rulesOf?: (model: string) => ChatRules;
  /** Where the provider keeps what it wants back with a part; see `ChatStreamOptions`. */
  readonly metadataKey: string;
  /** The arguments of a call as they are sent, from what the model wrote. */
  readonly toArguments: (input: string) => string;
  /** The id of a call and of its result as it is sent. */
  readonly toCallId: (id: string, model: string) => string;
  /** Whether the model takes back the reasoning of a message. */
  readonly takesReasoning: (message: ModelMessage, model: string) => boolean;
}

type PartOf<Type extends MessagePart["type"]> = Extract<MessagePart, { readonly type: Type }>;

/** Marks the end of what the vendor's cache shall hold: https://openrouter.ai/docs/features/prompt-caching */
export const cacheMark = { type: "ephemeral" } as const;

/** @param isMarked The vendor's cache ends with it. */
export function systemEntry(text: string, isMarked: boolean): string {
  const content = isMarked ? [{ type: "text", text, cache_control: cacheMark }] : text;
  return JSON.stringify({ role: "system", content });
}

/** Returns the entry of a filler. */
export function fillerEntry(role: "user" | "assistant", content: string, rules: ChatRules): string {
  return JSON.stringify({ role, content, ...(role === "assistant" ? reasoningField("", rules) : {}) });
}

/** The entry of a message that is one text, as nearly all are; `undefined`: of any other. */
export function plainEntry({ role, parts }: ModelMessage, rules: ChatRules): string | undefined {
  const [only] = parts;
  if (parts.length !== 1 || only?.type !== "text") return undefined;
  const content = only.text;
  if (role === "user") return rules.refusesEmpty === true && isBlank(content) ? undefined : userEntry(content);
  // Vendors refuse a message with nothing in it.
  if (role !== "assistant" || isBlank(content) || rules.missingReasoning !== undefined) return undefined;
  return JSON.stringify({ role: "assistant", content });
}

/** The entries of `messages` that a message is: none when it has nothing that is sent, several for several results. */
export function chatEntries(
  message: ModelMessage,
  {
    model,
    rules,
    options,
  }: { readonly model: string; readonly rules: ChatRules; readonly options: ChatMessageOptions },
): readonly string[] {
  switch (message.role) {
    case "user":
      return userEntries(message, rules, options);
    case "assistant":
      return assistantEntries(message, { model, rules, options });
    case "tool":
      return message.parts
        .filter((part) => part.type === "tool-result")
        .map((part) => JSON.stringify(resultEntry(part, model, options)));
  }
}

function userEntry(content: unknown): string {
  return JSON.stringify({ role: "user", content });
}

function userEntries(
  { parts }: ModelMessage,
  { refusesEmpty = false, joinsTexts = false }: ChatRules,
  { dialect }: ChatMessageOptions,
): readonly string[] {
  const all = parts.filter((part) => part.type === "text" || part.type === "file");
  const sent = refusesEmpty ? all.filter((part) => part.type === "file" || !isBlank(part.text)) : all;
  const [first] = sent;
  if (first === undefined) return all.length === 0 ? [] : [userEntry(noText)];
  // Not every endpoint takes a list.
  if (sent.length === 1 && first.type === "text") return [userEntry(first.text)];
  if (joinsTexts && sent.every((part) => part.type === "text"))
    return [userEntry(sent.map((part) => part.text).join("\n\n"))];
  const content = sent.map((part, index) =>
    part.type === "text" ? { type: "text", text: part.text } : fileContent(part, index, dialect),
  );
  return [userEntry(content)];
}

function fileContent({ mediaType, data, filename }: FilePart, index: number, dialect: ChatDialect): object {
  if (mediaType.startsWith("image/"))
    return { type: "image_url", image_url: { url: `data:${mediaType};base64,${data}` } };
  if (mediaType !== "application/pdf" || dialect !== "openai")
    throw new TypeError(`chat completions have no place for a file of type "${mediaType}"`);
  return {
    type: "file",
    file: { filename: filename ?? `part-${index}.pdf`, file_data: `data:application/pdf;base64,${data}` },
  };
}

function assistantEntries(
  message: ModelMessage,
  {
    model,
    rules,
    options,
  }: { readonly model: string; readonly rules: ChatRules; readonly options: ChatMessageOptions },
): readonly string[] {
  const { parts } = message;
  const takesReasoning = options.takesReasoning(message, model);
  let [text, reasoning] = ["", ""];
  const calls: object[] = [];
  for (const part of parts) {
    if (part.type === "text") text += part.text;
    else if (part.type === "reasoning" && takesReasoning) reasoning += part.text;
    else if (part.type === "tool-call") calls.push(callEntry(part, model, options));
  }
  const thought = options.dialect === "openai" ? {} : reasoningField(reasoning, rules);
  if (calls.length > 0)
    return [
      JSON.stringify({
        tool_calls: calls,
        role: "assistant",
        content: text === "" ? (rules.contentOfCalls ?? null) : text,
        ...thought,
      }),
    ];
  // Such as a reply that was reasoning alone.
  if (isBlank(text) && (reasoning === "" || rules.refusesEmpty === true)) return [];
  return [JSON.stringify({ role: "assistant", content: text, ...thought })];
}

function reasoningField(reasoning: string, { refusesReasoning = false, missingReasoning }: ChatRules): object {
  const content = reasoning === "" ? missingReasoning : reasoning;
  return refusesReasoning || content === undefined ? {} : { reasoning_content: content };
}

function isBlank(text: string): boolean {
  return /^\s*$/.test(text);
}

/** The keys stand in the order in which they always stood: other bytes would miss the vendor's cache. */
function callEntry(
  part: PartOf<"tool-call">,
  model: string,
  { dialect, metadataKey, toArguments, toCallId }: ChatMessageOptions,
): object {
  const { toolCallId, name, input, metadata = {} } = part;
  const call = {
    function: { arguments: toArguments(input), name: nameFor(name) },
    id: toCallId(toolCallId, model),
    type: "function",
  };
  if (dialect === "openai") return call;
  const signature = metadata[metadataKey]?.["thoughtSignature"] ?? metadata["google"]?.["thoughtSignature"];
  return {
    ...call,
    ...metadata["openaiCompatible"], // What an endpoint of that very name said of a call always went back as it was, too.
    // https://ai.google.dev/gemini-api/docs/thought-signatures
    ...(typeof signature === "string" && signature !== ""
      ? { extra_content: { google: { thought_signature: signature } } }
      : {}),
  };
}

function resultEntry(
  part: PartOf<"tool-result">,
  model: string,
  { dialect, toCallId }: ChatMessageOptions,
): object {
  const { toolCallId, output, isError } = part;
  const content = isError && dialect === "openai" ? JSON.stringify({ error: output }) : output;
  return { role: "tool", tool_call_id: toCallId(toolCallId, model), content };
}

/** Names that each object has, such as `constructor`, are looked up in plain objects by readers of the protocol. */
function nameFor(name: string): string {
  return name in Object.prototype ? `${name}_` : name;
}
