import type { CreateTurnRequest, Message } from "@incipit/schema";
import type { Client } from "./client.ts";
import { routes } from "./routes.ts";

/** Limit of messages searched; a turn may have many. */
const maxLookedThrough = 2_000;
const pageSize = 200;

/** Returns the newest message that a user sent, excluding compaction summaries and repeated messages. */
export async function lastUserMessage(client: Client, id: string): Promise<Message | undefined> {
  let found: Message | undefined;
  let count = 0;
  for (let cursor: string | undefined; count < maxLookedThrough;) {
    const query = { limit: pageSize, order: "newest" as const, ...(cursor === undefined ? {} : { cursor }) };
    const { messages, nextCursor } = await client.call(routes.listMessages, { params: { id }, query });
    for (const message of messages) {
      // A summary is the first message of an epoch other than the first.
      if (found !== undefined && message.epoch === found.epoch) return found;
      found = message.role === "user" && message.carriedFrom === undefined ? message : undefined;
      if (found?.epoch === 1) return found;
    }
    if (nextCursor === undefined) return undefined;
    count += messages.length;
    cursor = nextCursor;
  }
  return undefined;
}

/** Returns a message's input, for sending it again. */
export function inputOf({ parts }: Message): CreateTurnRequest["input"] {
  return parts.flatMap((part): Exclude<CreateTurnRequest["input"], string> => {
    if (part.type === "text") return /\S/.test(part.text) ? [{ type: "text", text: part.text }] : [];
    if (part.type !== "file") return [];
    const { mediaType, data, filename } = part;
    return [{ type: "file", mediaType, data, ...(filename === undefined ? {} : { filename }) }];
  });
}
