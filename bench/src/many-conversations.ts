import type { JsonValue, NamespacedWrite, StoredEntry } from "@incipit/kernel";
import { conversationIdSchema } from "@incipit/schema";
import { openSqliteStorage } from "@incipit/storage-sqlite";
import { startRecordingModelServer } from "@incipit/testkit";
import { routes, type Client } from "@incipit/transport-contract";
import { join } from "node:path";
import { dataFolderOf, startHostProcess } from "./host-process.ts";
import { timeTurn } from "./time-turn.ts";

const namespaces = ["session-orchestrator/conversations", "system-prompt/system-prompt"];
const writesAtOnce = 5_000;

/** For a stopped host. One conversation ran in it; the others are copies with their own ids. */
export async function storeConversations(folder: string, size: number): Promise<void> {
  const original = await storeOne(folder);
  await using storage = openSqliteStorage(join(dataFolderOf(folder), "incipit.db")).storage;
  const ids = Array.from({ length: size - 1 }, () => conversationIdSchema.parse(Bun.randomUUIDv7()));
  for (const namespace of namespaces) {
    const stored = await storage.list(namespace, { limit: 1_000 });
    // In key order per kind: full pages are not split again.
    for (const rows of groupsOf(
      stored.filter(({ key }) => key.includes(original)),
      original,
    )) {
      const texts = rows.map(({ key, value }) => ({ key, text: JSON.stringify(value) }));
      const idsAtOnce = Math.ceil(writesAtOnce / rows.length);
      for (let start = 0; start < ids.length; start += idsAtOnce) {
        const writes = ids.slice(start, start + idsAtOnce).flatMap((id) =>
          texts.map(({ key, text }): NamespacedWrite => {
            const value: JsonValue = JSON.parse(text.replaceAll(original, id));
            return { kind: "set", namespace, key: key.replaceAll(original, id), value };
          }),
        );
        await storage.atomic([], writes);
      }
    }
  }
}

function groupsOf(rows: readonly StoredEntry[], id: string): Iterable<readonly StoredEntry[]> {
  return Map.groupBy(rows, ({ key }) => key.slice(0, key.indexOf(id))).values();
}

async function storeOne(folder: string): Promise<string> {
  await using model = await startRecordingModelServer();
  await using host = await startHostProcess({ folder, modelUrl: model.url });
  const { conversation } = await host.client.call(routes.createConversation, { body: { title: "One of many" } });
  await timeTurn(host.client, conversation.id, model);
  return conversation.id;
}

/** The client validates the pages. */
export async function countConversations(client: Client): Promise<number> {
  const ids = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await client.call(routes.listConversations, {
      query: { limit: 1_000, ...(cursor === undefined ? {} : { cursor }) },
    });
    for (const { id } of page.conversations) ids.add(id);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return ids.size;
}
