import type { FilePart, MessagePart, ModelMessage } from "@incipit/schema";
import { type ChatDialect, noText, type ChatRules } from "./chat-request.ts";

export interface ChatMessageOptions {
  readonly dialect: ChatDialect;
  readonly rulesOf?: (model: string) => ChatRules;
  readonly metadataKey: string;
  readonly toArguments: (input: string) => string;
  readonly toCallId: (id: string, model: string) => string;
  readonly takesReasoning: (message: ModelMessage, model: string) => boolean;
}

type PartOf<Type extends MessagePart["type"]> = Extract<MessagePart, { readonly type: Type }>;

/** Marks the end of the cached prefix: https://openrouter.ai/docs/features/prompt-caching */
export const cacheMark = { type: "ephemeral" } as const;

export function systemEntry(text: string, isMarked: boolean): string {
  const content = isMarked ? [{ type: "text", text, cache_control: cacheMark }] : text;
  return JSON.stringify({ role: "system", content });
}

export function fillerEntry(role: "user" | "assistant", content: string, rules: ChatRules): string {
  return JSON.stringify({ role, content, ...(role === "assistant" ? reasoningField("", rules) : {}) });
}

export function plainEntry({ role, parts }: ModelMessage, rules: ChatRules): string | undefined {
  const [only] = parts;
  if (parts.length !== 1 || only?.type !== "text") return undefined;
  const content = only.text;
  if (role === "user") return rules.refusesEmpty === true && isBlank(content) ? undefined : userEntry(content);
  // Vendors reject empty messages.
  if (role !== "assistant" || isBlank(content) || rules.missingReasoning !== undefined) return undefined;
  return JSON.stringify({ role: "assistant", content });
}

/** Returns the entries of a message: none if nothing is sent, several for several results. */
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
  // Not every endpoint accepts a list.
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
  const sendsReasoningBack = options.takesReasoning(message, model);
  let [text, reasoning] = ["", ""];
  const calls: object[] = [];
  for (const part of parts) {
    if (part.type === "text") text += part.text;
    else if (part.type === "reasoning" && sendsReasoningBack) reasoning += part.text;
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
  // Such as a reply with only reasoning.
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

/** The order of keys must not change, because other bytes would miss the vendor's cache. */
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
    ...metadata["openaiCompatible"], // Metadata of an endpoint with this name was always sent back verbatim.
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

/** Readers of the protocol look up names in plain objects, where `constructor` and others exist. */
function nameFor(name: string): string {
  return name in Object.prototype ? `${name}_` : name;
}
