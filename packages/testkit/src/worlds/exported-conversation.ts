import { exportVersion, type MessagePart } from "@incipit/schema";

export interface ExportedMessage {
  readonly role: "user" | "assistant" | "tool";
  readonly parts: readonly MessagePart[];
}

export function saidMessage(role: "user" | "assistant", text: string): ExportedMessage {
  return { role, parts: [{ type: "text", text }] };
}

/** Creates an export of many turns: importing them is faster than running them. */
export function exportedConversation(options: {
  readonly title: string;
  readonly cwd: string;
  /** PROVIDER/MODEL. */
  readonly model: string;
  readonly messages: readonly ExportedMessage[];
}): Blob {
  const { title, cwd, model, messages } = options;
  const at = new Date().toISOString();
  let turnId = Bun.randomUUIDv7();
  const records = messages.map(({ role, parts }, index) => {
    if (role === "user") turnId = Bun.randomUUIDv7();
    const by = role === "assistant" ? { model } : {};
    const value = { id: Bun.randomUUIDv7(), role, parts, turnId, epoch: 1, createdAt: at, ...by };
    return { type: "record", kind: "message", key: String(index).padStart(12, "0"), value };
  });
  const conversation = {
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
  };
  const lines = [
    { type: "incipit-conversation", version: exportVersion },
    { type: "conversation", value: conversation },
    ...records,
    { type: "end", records: records.length },
  ];
  return new Blob(lines.map((line) => `${JSON.stringify(line)}\n`));
}
