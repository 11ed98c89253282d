import type { Conversation } from "@incipit/schema";
import type { Client } from "@incipit/transport-contract";

export async function importFrom(client: Client, path: string): Promise<Conversation> {
  if (path === "-") return client.importConversation(Bun.stdin.stream());
  const file = Bun.file(path);
  const stats = await file.stat().catch((cause: unknown) => {
    throw new Error(`Cannot import "${path}": there is no such file`, { cause });
  });
  if (stats.isDirectory()) throw new Error(`Cannot import "${path}": it is a folder`);
  return client.importConversation(file.stream());
}
