import { conversationRecordsHandle, conversationsHandle } from "@incipit/service-contract";
import type { StartedExtension } from "./extension-host.ts";

export async function saidIn(started: StartedExtension, conversationId?: string): Promise<readonly string[]> {
  const { items } = await started.service(conversationsHandle).list({ limit: 1_000, archived: "all" });
  const asked = items.filter(({ id }) => conversationId === undefined || id === conversationId);
  const records = started.service(conversationRecordsHandle);
  const pages = await Promise.all(
    asked.map(async ({ id }) => records.messages(id, { limit: 1_000, order: "oldest" })),
  );
  return pages
    .flatMap((page) => page.items)
    .flatMap((message) =>
      message.role === "user" ? message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])) : [],
    );
}
