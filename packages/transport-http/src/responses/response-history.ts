import type { MessagePart } from "@incipit/schema";
import type { ResponseInputContent, ResponseInputItem, ResponseInputPart } from "@incipit/transport-contract";
import { CallHistory, type ClientHistory, type GivenCall, type HistoryWords } from "../calls/call-history.ts";
import { dataUrlPart } from "../calls/data-url-part.ts";
import { invalidField } from "../calls/invalid-field.ts";
import { lateInstructions } from "../calls/late-instructions.ts";

const words: HistoryWords = {
  callsField: "call_id",
  unanswered: "must be followed by an item of type `function_call_output` for each `function_call`",
  unknownCall: "must be the `call_id` of a `function_call` before, which has no output yet",
};

type Reply = (MessagePart | GivenCall)[];

/**
 * One reply of a model can be several items.
 * @throws {ServiceError} `INVALID_REQUEST` that names the item.
 */
export function toResponseHistory(items: readonly ResponseInputItem[]): ClientHistory {
  const history = new CallHistory(words);
  const system: string[] = [];
  let reply: Reply = [];
  let replyField = "";
  let hasBegun = false;
  const endReply = (): void => {
    if (reply.length > 0) history.addAssistant(reply, replyField);
    reply = [];
  };
  const say = (parts: Reply, field: string): void => {
    if (reply.length === 0) replyField = field;
    reply.push(...parts);
  };
  for (const [index, item] of items.entries()) {
    const field = `input.${index}`;
    const isInstruction = "role" in item && (item.role === "system" || item.role === "developer");
    hasBegun ||= !isInstruction;
    switch (item.type) {
      case "message":
        if (item.role === "assistant") {
          const text = textOf(item.content);
          if (text !== "") say([{ type: "text", text }], field);
          break;
        }
        endReply();
        if (item.role === "user") history.addUser(userParts(item.content, field));
        else if (hasBegun) history.addUser([lateInstructions(textOf(item.content))]);
        else system.push(textOf(item.content));
        break;
      case "function_call": {
        const { call_id: id, name, arguments: input } = item;
        say([{ type: "call", id, field: `${field}.call_id`, name, input }], field);
        break;
      }
      case "function_call_output": {
        endReply();
        const { call_id: id, output } = item;
        history.addResult({ id, field: `${field}.call_id`, output: textOf(output), isError: false });
        break;
      }
      case "reasoning": {
        const text = (item.summary ?? []).map(textOfPart).join("\n\n");
        if (text !== "") say([{ type: "reasoning", text }], field);
        break;
      }
      case "item_reference":
        throw invalidField(`${field}.id`, `"${item.id.slice(0, 100)}" is not kept here: send the item itself`);
    }
  }
  endReply();
  return { system, messages: history.end() };
}

function textOf(content: ResponseInputContent): string {
  return (typeof content === "string" ? content : content.map(textOfPart).join("")).toWellFormed();
}

function textOfPart(part: ResponseInputPart): string {
  if (part.type === "refusal") return part.refusal;
  return "text" in part ? part.text : "";
}

function userParts(content: ResponseInputContent, field: string): readonly MessagePart[] {
  if (typeof content === "string") return [{ type: "text", text: content.toWellFormed() }];
  if (content.length === 0) throw invalidField(`${field}.content`, "must have at least one part");
  return content.map((part, index) => userPart(part, `${field}.content.${index}`));
}

function userPart(part: ResponseInputPart, field: string): MessagePart {
  if (part.type === "input_image") {
    if (!part.image_url) throw invalidField(`${field}.image_url`, "must be there: files are not kept here");
    return dataUrlPart(part.image_url, `${field}.image_url`);
  }
  if (part.type === "input_file") {
    if (!part.file_data)
      throw invalidField(`${field}.file_data`, "is required: this host stores no files and fetches none");
    return dataUrlPart(part.file_data, `${field}.file_data`, part.filename ?? undefined);
  }
  return { type: "text", text: textOfPart(part).toWellFormed() };
}
