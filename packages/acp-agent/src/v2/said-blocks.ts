import { ContentBlock, RequestError } from "@agentclientprotocol/sdk/experimental/v2/unstable";
import type { ContentBlock as Block } from "@agentclientprotocol/sdk/unstable";

/** Converts prompt blocks that both versions have. @throws {RequestError} Invalid params, for other blocks. */
export function saidBlocks(blocks: readonly ContentBlock[]): Block[] {
  return blocks.map((block) => {
    if (ContentBlock.isText(block)) return { type: "text", text: block.text };
    if (ContentBlock.isImage(block)) {
      const { data, mimeType, uri } = block;
      return { type: "image", data, mimeType, ...(uri === undefined ? {} : { uri }) };
    }
    if (ContentBlock.isAudio(block)) return { type: "audio", data: block.data, mimeType: block.mimeType };
    if (ContentBlock.isResourceLink(block)) {
      const { name, uri, title } = block;
      return { type: "resource_link", name, uri, ...(title === undefined ? {} : { title }) };
    }
    if (ContentBlock.isResource(block)) return { type: "resource", resource: block.resource };
    const { type } = block;
    throw RequestError.invalidParams(
      { type },
      `a block of the type "${type}" is not known here; send text instead`,
    );
  });
}
