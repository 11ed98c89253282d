import type { StorageWrite } from "@incipit/kernel";
import {
  type FilePart,
  type Message,
  type MessageFile,
  type MessagePart,
  type ReplaceMessageFileRequest,
  describeFile,
} from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { LoadedConversation } from "./loaded-conversation.ts";
import { readHistory } from "../store/stored-message.ts";
import { keys, type StoredConversation } from "../store/stored.ts";
import { unsendable } from "../files/sendable-files.ts";
import { StepFailure } from "../failures/step-failure.ts";

const idLength = 12;

function messageFileId({ data }: Pick<FilePart, "data">): string {
  return Bun.SHA256.hash(Buffer.from(data, "base64"), "hex").slice(0, idLength);
}

function filesOf(part: MessagePart): readonly FilePart[] {
  if (part.type === "file") return [part];
  return part.type === "tool-result" ? (part.files ?? []) : [];
}

/** Returns the files of messages, unique by content, in order of the newest message with each. */
export async function messageFiles(
  { storage }: OrchestratorContext,
  { id, epoch }: StoredConversation,
): Promise<readonly MessageFile[]> {
  const { messages } = await readHistory(storage, id, epoch);
  return filesIn(messages);
}

function filesIn(messages: readonly Message[]): readonly MessageFile[] {
  const files = new Map<string, MessageFile>();
  for (const { id: messageId, parts } of messages)
    for (const file of parts.flatMap(filesOf)) {
      const { mediaType, filename, removedAt, data } = file;
      const id = messageFileId(file);
      files.delete(id);
      files.set(id, {
        id,
        messageId,
        mediaType,
        ...(filename === undefined ? {} : { filename }),
        sizeBytes: Buffer.byteLength(data, "base64"),
        ...(removedAt === undefined ? {} : { removedAt }),
      });
    }
  return [...files.values()];
}

/**
 * Marks the file as removed in every message of the epoch, and adds the replacement after it.
 *
 * @throws {ServiceError} `MESSAGE_UNKNOWN`, `INVALID_REQUEST`.
 */
export async function removeMessageFile(
  { storage, clock, files }: OrchestratorContext,
  conversation: LoadedConversation,
  { fileId, replacement }: { readonly fileId: string; readonly replacement: ReplaceMessageFileRequest | undefined },
): Promise<readonly MessageFile[]> {
  const { id, epoch } = conversation.record;
  const { messages, firstIndex } = await readHistory(storage, id, epoch);
  const given = replacement === undefined ? undefined : await files.of({ type: "file", ...replacement });
  if (given?.kind === "refused" && replacement !== undefined)
    throw unsendable({ type: "file", ...replacement }, given.why, '"data"');
  const added = given?.kind === "part" ? given.part : undefined;
  const removedAt = new Date(clock.now()).toISOString();
  const isMeant = (file: FilePart): boolean => file.removedAt === undefined && messageFileId(file) === fileId;
  const changed = messages.map((message): Message => {
    if (!message.parts.some((part) => filesOf(part).some(isMeant))) return message;
    const parts = message.parts.flatMap((part): readonly MessagePart[] => {
      if (part.type === "file" && isMeant(part))
        return [{ ...part, removedAt }, ...(added === undefined ? [] : [added])];
      if (part.type !== "tool-result" || part.files === undefined) return [part];
      const beside = added?.type === "file" ? [added] : [];
      return [
        {
          ...part,
          files: part.files.flatMap((file) => (isMeant(file) ? [{ ...file, removedAt }, ...beside] : [file])),
        },
      ];
    });
    return { ...message, parts };
  });
  const writes = changed.flatMap((message, index): readonly StorageWrite[] =>
    message === messages[index] ? [] : [{ kind: "set", key: keys.message(id, firstIndex + index), value: message }],
  );
  if (writes.length === 0) {
    const message = `No message since the last compaction has the file "${fileId}"; GET /conversations/${id}/files lists them`;
    throw new ServiceError("MESSAGE_UNKNOWN", message);
  }
  await conversation.changeRecord(
    (record) => ({ ...record, updatedAt: removedAt }),
    (write) => conversation.log.append([], [...writes, write]),
  );
  conversation.readAgain(changed);
  return filesIn(changed);
}

const maxNamed = 3;

/** Lists files not yet in an answered request, else all, and how to remove each. */
export function withRefusedFiles(failure: unknown, { record, history }: LoadedConversation): unknown {
  if (!(failure instanceof StepFailure) || failure.failure.code !== "FILE_REFUSED") return failure;
  const answered = history.findLastIndex(({ role }) => role === "assistant");
  const filesFrom = (index: number): readonly FilePart[] =>
    history.slice(index).flatMap(({ parts }) => parts.flatMap(filesOf));
  const fresh = filesFrom(answered + 1);
  const files = fresh.length > 0 ? fresh : filesFrom(0);
  const named = [...new Map(files.map((file) => [messageFileId(file), file]))];
  const [newest] = named.at(-1) ?? [];
  if (newest === undefined) return failure;
  const shown = named.slice(-maxNamed).map(([id, file]) => `${id} [${describeFile(file)}]`);
  const more = named.length > maxNamed ? ` and ${named.length - maxNamed} others` : "";
  const said = failure.failure.message.replace(/[.;]$/, "");
  const how = `incipit conversations remove-file ${record.id} ${newest}`;
  const message = `${said}; the request has the file ${shown.join(", ")}${more}: remove it (/remove-file, or ${how}), and send the message again`;
  return new StepFailure({ ...failure.failure, message });
}
