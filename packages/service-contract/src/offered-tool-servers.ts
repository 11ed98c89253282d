import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type { OfferedToolServer } from "@incipit/schema";
import type { ToolServer } from "./tool-servers.ts";

/** Servers of tools that clients bring along for one conversation, such as an editor for the session that it opens. */
export interface OfferedToolServers {
  /**
   * Starts the servers, and gives their tools to this conversation alone, for as long as somebody iterates. Gives how they are
   * at once, and again whenever that changes. It ends when `signal` or `letGo` aborts, and when this generation goes; whoever
   * leaves it aborts one of them. Where several offer servers of one name, the newest offer counts.
   * @throws {ServiceError} `INVALID_REQUEST` when too many are offered already.
   */
  offer(
    conversationId: string,
    servers: readonly OfferedToolServer[],
    options: {
      /** The client is not there any more: the servers end at once. */
      readonly signal: AbortSignal;
      /** The client is there, and was sent away, as it may come back: calls in flight come to their end first. */
      readonly letGo: AbortSignal;
    },
  ): AsyncIterable<readonly ToolServer[]>;
  /** Those that are offered to it at this moment, by name. What they were started with is not in it. */
  list(conversationId: string): Promise<readonly ToolServer[]>;
}

export const offeredToolServersHandle: ServiceHandle<OfferedToolServers> = defineHandle<OfferedToolServers>(
  "offered-tool-servers@1",
  { offer: "function", list: "function" },
);
