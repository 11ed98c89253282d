import { isTooDeep, tooDeepText } from "@incipit/kernel";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";

/** A tool's result as the text that the model reads; what is no text is described. */
export function resultText({ content, structuredContent }: CallToolResult): string {
  const parts = content.map(blockText);
  // Servers repeat it as a text, for clients that do not know it.
  if (structuredContent !== undefined && !content.some(({ type }) => type === "text"))
    parts.push(
      isTooDeep(structuredContent) ? `[content ${tooDeepText}: not shown]` : JSON.stringify(structuredContent),
    );
  return parts.length === 0 ? "[the tool gave no content]" : parts.join("\n");
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return `[${block.type} ${block.mimeType}, ${base64Bytes(block.data)} bytes: not shown]`;
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
        : `[resource ${resource.uri}${type}, ${base64Bytes(resource.blob)} bytes: not shown]`;
    }
  }
}

function base64Bytes(data: string): number {
  let { length } = data;
  while (data[length - 1] === "=") length -= 1; // An expression would begin anew at each of them.
  return Math.floor((length * 3) / 4);
}
