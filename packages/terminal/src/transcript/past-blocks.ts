import { calledTool, inputText, isUnifiedDiff, type Message, type MessagePart } from "@incipit/schema";
import type { Component } from "@earendil-works/pi-tui";
import { emptyRow } from "./block.ts";
import { answerBlock, noticeBlock, reasoningBlock, turnEndText, userBlock, type Looks } from "./message-blocks.ts";
import { toolBlock, type EndedCall } from "./tool-block.ts";

type ToolResult = Extract<MessagePart, { type: "tool-result" }>;

export interface PastCall extends EndedCall {
  readonly toolCallId: string;
}

/** As `TurnWriter` prints the events of the same turn. @param messages Oldest first. */
export async function pastBlocks(messages: readonly Message[], looks: Looks): Promise<readonly Component[]> {
  const { style } = looks;
  const calls = pastCalls(messages);
  const blocks: Component[] = [];
  for (const message of messages) {
    for (const part of message.parts) if (part.type === "text") await looks.highlighter.loadFor(part.text);
    const said =
      message.role === "user"
        ? [userBlock(userText(message), style)]
        : message.parts.flatMap((part) => partBlocks(part, looks, calls));
    blocks.push(...said.flatMap((block) => [emptyRow, block]));
    const end = message.turnEnd === undefined ? undefined : turnEndText(message.turnEnd);
    if (end !== undefined) blocks.push(noticeBlock(end.text, { level: end.level, style }));
  }
  return blocks;
}

/** A call outside these messages has no `input`. */
export function pastCalls(messages: readonly Message[]): ReadonlyMap<ToolResult, PastCall> {
  const inputs = new Map<string, { readonly name: string; readonly input: string }>();
  const found = new Map<ToolResult, PastCall>();
  for (const { turnId, parts, unaskedCalls = [], previews = [] } of messages)
    for (const part of parts) {
      // Call ids are unique only within a turn.
      if (part.type === "tool-call") inputs.set(`${turnId} ${part.toolCallId}`, calledTool(part));
      if (part.type !== "tool-result") continue;
      const { toolCallId, name, output, isError } = part;
      const call = inputs.get(`${turnId} ${toolCallId}`);
      const unasked = unaskedCalls.find((one) => one.toolCallId === toolCallId);
      const shown = previews.find((one) => one.toolCallId === toolCallId);
      found.set(part, {
        toolCallId,
        name: call?.name ?? name,
        input: call?.input,
        output,
        problem: isError ? output : undefined,
        ...(unasked === undefined ? {} : { allowedBy: unasked.allowedBy }),
        ...(shown !== undefined && isUnifiedDiff(shown.preview) ? { diff: shown.preview } : {}),
      });
    }
  return found;
}

function userText({ parts }: Message): string {
  return inputText(parts.filter((part) => part.type === "text" || part.type === "file"));
}

function partBlocks(
  part: MessagePart,
  looks: Looks,
  calls: ReadonlyMap<ToolResult, PastCall>,
): readonly Component[] {
  const { style } = looks;
  switch (part.type) {
    case "text":
      return part.text.trim() === "" ? [] : [answerBlock(part.text, looks)];
    case "reasoning":
      return part.text.trim() === "" ? [] : [reasoningBlock(part.text, style)];
    case "file":
      return [noticeBlock(`A file: ${part.filename ?? part.mediaType}`, { style })];
    case "tool-call":
      return [];
    case "tool-result": {
      const call = calls.get(part);
      return call === undefined ? [] : [toolBlock(call, style, looks)];
    }
  }
}
