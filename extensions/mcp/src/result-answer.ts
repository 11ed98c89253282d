import { isTooDeep, tooDeepText } from "@incipit/kernel";
import type { ToolAnswer } from "@incipit/service-contract";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";

type GivenFile = ToolAnswer["files"][number];

export function resultAnswer({ content, structuredContent, isError }: CallToolResult): ToolAnswer {
  const isFailure = isError === true;
  const files = isFailure ? [] : content.flatMap((block) => fileOf(block) ?? []);
  const parts = content.map((block) => blockText(block, isFailure ? ": not shown" : ""));
  // Servers repeat it as text for clients that do not support it.
  if (structuredContent !== undefined && !content.some(({ type }) => type === "text"))
    parts.push(
      isTooDeep(structuredContent) ? `[content ${tooDeepText}: not shown]` : JSON.stringify(structuredContent),
    );
  return { text: parts.join("\n") || "[the tool gave no content]", files };
}

function fileOf(block: ContentBlock): GivenFile | undefined {
  if (block.type === "image" || block.type === "audio") return { mediaType: block.mimeType, data: block.data };
  if (block.type !== "resource" || !("blob" in block.resource)) return undefined;
  const { mimeType = "application/octet-stream", blob } = block.resource;
  return { mediaType: mimeType, data: blob };
}

function blockText(block: ContentBlock, whetherShown: string): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return `[${block.type} ${block.mimeType}, ${base64Bytes(block.data)} bytes${whetherShown}]`;
    case "resource_link": {
      const { uri, name, mimeType, description } = block;
      const about = [name, mimeType, description].filter((part) => part !== undefined && part !== "").join(", ");
      return `[resource ${uri}: ${about}]`;
    }
    case "resource": {
      const { resource } = block;
      const type = resource.mimeType === undefined ? "" : ` ${resource.mimeType}`;
      return "text" in resource
        ? `[resource ${resource.uri}${type}]\n${resource.text}`
        : `[resource ${resource.uri}${type}, ${base64Bytes(resource.blob)} bytes${whetherShown}]`;
    }
  }
}

function base64Bytes(data: string): number {
  let { length } = data;
  while (data[length - 1] === "=") length -= 1; // A regular expression would restart at each character.
  return Math.floor((length * 3) / 4);
}
