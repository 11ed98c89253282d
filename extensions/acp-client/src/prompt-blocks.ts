import type { FilePart, MessagePart, ModelMessage } from "@incipit/schema";
import type { ContentBlock } from "@agentclientprotocol/sdk/unstable";
import type { Greeting } from "./agent-answers.ts";
import { AgentFailure } from "./agent-failure.ts";

type PromptCapabilities = Greeting["agentCapabilities"]["promptCapabilities"];

/**
 * @throws {AgentFailure} `INPUT_UNSUPPORTED` for an unsupported file of the newest message; a file of an older,
 * unanswered message is replaced with its name.
 */
export function promptBlocks(
  messages: readonly ModelMessage[],
  takes: PromptCapabilities,
  agent: string,
): readonly ContentBlock[] {
  const newest = messages.length - 1;
  return messages.flatMap(({ parts }, index) =>
    parts.flatMap((part) => partBlock(part, takes, { agent, isNewest: index === newest })),
  );
}

function partBlock(
  part: MessagePart,
  takes: PromptCapabilities,
  { agent, isNewest }: { readonly agent: string; readonly isNewest: boolean },
): readonly ContentBlock[] {
  if (part.type === "text") return part.text === "" ? [] : [{ type: "text", text: part.text }];
  if (part.type !== "file") return [];
  const block = fileBlock(part, takes);
  if (block !== undefined) return [block];
  const name = part.filename === undefined ? "a file" : `"${part.filename}"`;
  if (!isNewest) return [{ type: "text", text: `[${name}, ${part.mediaType}; left out: you do not take it]` }];
  const message = `Cannot send ${name}: the agent "${agent}" does not take ${part.mediaType}; put it into the folder and name it, or send it as text`;
  throw new AgentFailure("INPUT_UNSUPPORTED", message);
}

function fileBlock({ mediaType, data, filename }: FilePart, takes: PromptCapabilities): ContentBlock | undefined {
  if (mediaType.startsWith("image/") && takes.image) return { type: "image", data, mimeType: mediaType };
  if (mediaType.startsWith("audio/") && takes.audio) return { type: "audio", data, mimeType: mediaType };
  if (!takes.embeddedContext) return undefined;
  const uri = `attachment:///${encodeURIComponent(filename ?? "file")}`;
  if (!mediaType.startsWith("text/"))
    return { type: "resource", resource: { uri, mimeType: mediaType, blob: data } };
  const text = Buffer.from(data, "base64").toString();
  return { type: "resource", resource: { uri, mimeType: mediaType, text } };
}
