import type { FilePart, Message } from "@incipit/schema";

/** Returns the messages without a file. Unaffected messages stay the same objects. */
export function withoutFile(
  messages: readonly Message[],
  { data }: FilePart,
  removedAt: string,
): readonly Message[] {
  const marked = (file: FilePart): FilePart =>
    file.data === data && file.removedAt === undefined ? { ...file, removedAt } : file;
  return messages.map((message) => {
    let isChanged = false;
    const parts = message.parts.map((part): Message["parts"][number] => {
      const files = part.type === "file" ? [part] : part.type === "tool-result" ? (part.files ?? []) : [];
      if (files.every((file) => marked(file) === file)) return part;
      isChanged = true;
      if (part.type === "file") return marked(part);
      return part.type === "tool-result" ? { ...part, files: files.map(marked) } : part;
    });
    return isChanged ? { ...message, parts } : message;
  });
}
