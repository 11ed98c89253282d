import { constants, Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as z from "zod";

const knownSchema = z.object({ id: z.string(), title: z.string().nullable(), model: z.string() });
export type KnownConversation = z.infer<typeof knownSchema>;

const rowSchema = z.object({ value: z.string() });
const maxRead = 200;

/** Takes no lock, since a host may start at any time. Misses data that a crash has left in the write-ahead log. */
export function storedConversations(dataFolder: string): readonly KnownConversation[] {
  const file = join(dataFolder, "incipit.db");
  if (!existsSync(file)) return [];
  const url = `${pathToFileURL(file).href}?immutable=1`;
  using database = new Database(url, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI);
  const rows: readonly unknown[] = database
    .query(
      "SELECT value FROM entries WHERE namespace = ? AND key >= 'conversation:' AND key < 'conversation;' ORDER BY key DESC LIMIT ?",
    )
    .all(namespace, maxRead);
  return rows.flatMap((row) => {
    const { data } = rowSchema.safeParse(row);
    const known = data === undefined ? undefined : knownSchema.safeParse(JSON.parse(data.value)).data;
    return known === undefined ? [] : [known];
  });
}

const namespace = "session-orchestrator/conversations";
