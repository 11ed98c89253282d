import { exportVersion, type ConversationId, type MessagePart } from "@incipit/schema";
import type { Client } from "@incipit/transport-contract";

export interface ImportedMessage {
  readonly role: "user" | "assistant" | "tool";
  readonly parts: readonly MessagePart[];
}

interface ImportOptions {
  readonly title: string;
  readonly cwd: string;
  readonly messages: readonly ImportedMessage[];
}

/** A text of one of both. */
export function said(role: "user" | "assistant", text: string): ImportedMessage {
  return { role, parts: [{ type: "text", text }] };
}

/** Gives a host a conversation in which all of that was said, without the time that it takes to say it. */
export async function importConversation(
  client: Client,
  { title, cwd, messages }: ImportOptions,
): Promise<ConversationId> {
  const at = new Date().toISOString();
  const model = "local/test";
  let turnId = Bun.randomUUIDv7();
  const records = messages.map(({ role, parts }, index) => {
    if (role === "user") turnId = Bun.randomUUIDv7();
    const value = { id: Bun.randomUUIDv7(), role, parts, turnId, epoch: 1, createdAt: at };
    const by = role === "assistant" ? { model } : {};
    return { type: "record", kind: "message", key: String(index).padStart(12, "0"), value: { ...value, ...by } };
  });
  const lines = [
    { type: "incipit-conversation", version: exportVersion },
    {
      type: "conversation",
      value: {
        id: Bun.randomUUIDv7(),
        cwd,
        model,
        profile: null,
        title,
        forkedFrom: null,
        archived: false,
        epoch: 1,
        createdAt: at,
        updatedAt: at,
        lastSeq: 0,
        toolsSha256: null,
      },
    },
    ...records,
    { type: "end", records: records.length },
  ];
  const { id } = await client.importConversation(new Blob(lines.map((line) => `${JSON.stringify(line)}\n`)));
  return id;
}
