import type { MessagePart } from "@incipit/schema";
import type {
  AnthropicAssistantBlock,
  AnthropicMessage,
  AnthropicSource,
  AnthropicUserBlock,
} from "@incipit/transport-contract";
import { CallHistory, type ClientHistory, type GivenCall, type HistoryWords } from "../calls/call-history.ts";
import { toFilePart } from "../calls/file-part.ts";
import { invalidField } from "../calls/invalid-field.ts";
import { lateInstructions } from "../calls/late-instructions.ts";

type ToolResultBlock = Extract<AnthropicUserBlock, { type: "tool_result" }>;
type ShownBlock = Exclude<AnthropicUserBlock, ToolResultBlock>;

const words: HistoryWords = {
  callsField: "content",
  unanswered: "must be followed by a message of the user with a `tool_result` for each `tool_use`",
  unknownCall: "must be the id of a `tool_use` of the assistant's message before, which has no result yet",
};

/** A later `system` message keeps its position as a marked user message, so that the prefix stays stable. */
export function toMessageHistory(messages: readonly AnthropicMessage[]): ClientHistory {
  const history = new CallHistory(words);
  const first = messages.findIndex(({ role }) => role !== "system");
  const system = messages
    .slice(0, first === -1 ? messages.length : first)
    .flatMap((message) => (message.role === "system" ? [systemTextOf(message.content)] : []));
  for (const [index, message] of messages.entries()) {
    if (index < system.length) continue;
    const { role, content } = message;
    const field = `messages.${index}`;
    if (content.length === 0) throw invalidField(`${field}.content`, "must not be empty");
    switch (role) {
      case "system":
        history.addUser([lateInstructions(systemTextOf(content))]);
        break;
      case "user":
        addUser(history, typeof content === "string" ? [{ type: "text", text: content }] : content, field);
        break;
      case "assistant":
        history.addAssistant(
          typeof content === "string"
            ? [textPart(content)]
            : content.flatMap((block, at) => saidPart(block, `${field}.content.${at}`)),
          field,
        );
    }
  }
  return { system, messages: history.end() };
}

function systemTextOf(content: Extract<AnthropicMessage, { role: "system" }>["content"]): string {
  return typeof content === "string" ? content : content.map(({ text }) => text).join("\n\n");
}

/** Images of tool results come before other content: vendors accept only text as a result. */
function addUser(history: CallHistory, blocks: readonly AnthropicUserBlock[], field: string): void {
  const ofResults: MessagePart[] = [];
  const others: MessagePart[] = [];
  let hasResult = false;
  for (const [index, block] of blocks.entries()) {
    const at = `${field}.content.${index}`;
    if (block.type !== "tool_result") {
      others.push(...shownParts(block, at));
      continue;
    }
    hasResult = true;
    const { output, files } = resultOf(block, at);
    history.addResult({
      id: block.tool_use_id,
      field: `${at}.tool_use_id`,
      output,
      isError: block.is_error === true,
    });
    ofResults.push(...files);
  }
  const parts = [...ofResults, ...others];
  if (parts.length > 0 || !hasResult) history.addUser(parts);
}

function resultOf(
  { content }: ToolResultBlock,
  field: string,
): { readonly output: string; readonly files: readonly MessagePart[] } {
  if (content === null || content === undefined) return { output: "", files: [] };
  if (typeof content === "string") return { output: content.toWellFormed(), files: [] };
  const parts = content.flatMap((block, index) => shownParts(block, `${field}.content.${index}`));
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return { output: texts.join("\n"), files: parts.filter(({ type }) => type === "file") };
}

function shownParts(block: ShownBlock, field: string): readonly MessagePart[] {
  switch (block.type) {
    case "text":
      return [textPart(block.text)];
    case "image":
      return [filePart(block.source, `${field}.source`)];
    case "document": {
      const about = [block.title, block.context].filter((text) => text).join("\n");
      return [...(about === "" ? [] : [textPart(about)]), filePart(block.source, `${field}.source`)];
    }
  }
}

function filePart(source: AnthropicSource, field: string): MessagePart {
  if (source.type === "base64")
    return toFilePart({ mediaType: source.media_type.toLowerCase(), data: source.data }, `${field}.data`);
  return textPart(source.data);
}

/** The host finds its own replies by their tool calls, and does not accept signatures of thinking from clients. */
function saidPart(block: AnthropicAssistantBlock, field: string): readonly (MessagePart | GivenCall)[] {
  switch (block.type) {
    case "text":
      return [textPart(block.text)];
    case "thinking":
      return block.thinking === "" ? [] : [{ type: "reasoning", text: block.thinking.toWellFormed() }];
    case "redacted_thinking":
      return [];
    case "tool_use": {
      const { id, name, input } = block;
      return [{ type: "call", id, field: `${field}.id`, name, input: JSON.stringify(input) }];
    }
  }
}

function textPart(text: string): MessagePart {
  return { type: "text", text: text.toWellFormed() };
}
