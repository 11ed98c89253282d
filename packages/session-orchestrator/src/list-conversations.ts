import type { Conversation, Page, PageQuery } from "@incipit/service-contract";
import type { OrchestratorContext } from "./context.ts";
import { readLastSeq, type LoadedConversations } from "./loaded-conversations.ts";
import { inServiceWords } from "./storage-failure.ts";
import { keys, storedConversationSchema } from "./stored.ts";

/** Newest first; a damaged record is left out, and does not end the list. */
export async function listConversations(
  context: OrchestratorContext,
  loaded: LoadedConversations,
  { cursor, limit }: PageQuery,
): Promise<Page<Conversation>> {
  const range = { start: keys.conversation(""), end: keys.conversation(cursor ?? "~"), reverse: true, limit };
  const damaged: string[] = [];
  const onInvalid = (key: string, error: Error): void => {
    damaged.push(key);
    context.log.error("A damaged record was left out", { key, error: error.message });
  };
  const entries = await inServiceWords(() =>
    context.storage.list({ ...range, onInvalid }, storedConversationSchema),
  );
  const items = await Promise.all(
    entries.map(
      async ({ value }) =>
        (await loaded.known(value.id))?.view ?? {
          ...value,
          lastSeq: await inServiceWords(() => readLastSeq(context, value.id)),
          status: "idle" as const,
          approvals: [],
        },
    ),
  );
  const found = [...entries.map(({ key }) => key), ...damaged].toSorted(); // Ids are ASCII.
  const oldest = found[0];
  if (oldest === undefined || found.length < limit) return { items };
  return { items, nextCursor: oldest.slice(keys.conversation("").length) };
}
