import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type { OfferedToolServer } from "@incipit/schema";
import type { ToolServer } from "./tool-servers.ts";

/** MCP servers supplied by clients for one conversation, such as an editor's for its session. */
export interface OfferedToolServers {
  /**
   * Starts the servers and adds their tools to this conversation while the caller iterates. Yields their state
   * immediately and after each change. Ends when `signal` or `letGo` aborts, or when this generation is unloaded;
   * to leave, abort one of the signals. If several clients offer a server of the same name, the newest offer wins.
   * @throws {ServiceError} `INVALID_REQUEST` at the limit of offered servers.
   */
  offer(
    conversationId: string,
    servers: readonly OfferedToolServer[],
    options: {
      /** The client disconnected: stops the servers immediately. */
      readonly signal: AbortSignal;
      /** The client is detached but may return: calls in flight complete first. */
      readonly letGo: AbortSignal;
    },
  ): AsyncIterable<readonly ToolServer[]>;
  /** Lists the servers currently offered, by name, without their launch parameters. */
  list(conversationId: string): Promise<readonly ToolServer[]>;
}

export const offeredToolServersHandle: ServiceHandle<OfferedToolServers> = defineHandle<OfferedToolServers>(
  "offered-tool-servers@1",
  { offer: "function", list: "function" },
);
