import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type {
  ConversationId,
  FileChanges,
  FileChangesQuery,
  MessageFile,
  ReplaceMessageFileRequest,
  RestoredFiles,
  RestoreFilesRequest,
} from "@incipit/schema";

/**
 * Files changed by tools, with their previous content. Separate from `conversations@1`: an extension that may send
 * turns must not change or restore files without the user's consent.
 */
export interface FileChangesService {
  /**
   * Lists files changed since a message, and the effect of restoring each.
   * @throws {ServiceError} `MESSAGE_UNKNOWN`, `RESTORATION_UNKNOWN`.
   */
  fileChanges(
    id: ConversationId,
    query: FileChangesQuery,
    options: { readonly signal: AbortSignal },
  ): Promise<FileChanges>;
  /**
   * Restores the named files, each atomically, and only if unchanged since the turns wrote it. The current content is
   * saved first.
   * @throws {ServiceError} Like `fileChanges`, and `CONVERSATION_BUSY`.
   */
  restoreFiles(
    id: ConversationId,
    request: RestoreFilesRequest,
    options: { readonly signal: AbortSignal },
  ): Promise<RestoredFiles>;
}

/**
 * Files attached to a conversation's messages. A separate service, because only the user may remove message
 * content.
 */
export interface MessageFilesService {
  /** Lists files included in the next request, and files removed since the last compaction. */
  messageFiles(id: ConversationId): Promise<readonly MessageFile[]>;
  /**
   * Excludes a file from all messages since the last compaction, optionally with a replacement after it. The stored
   * file remains, with the time of its removal.
   * @throws {ServiceError} `MESSAGE_UNKNOWN`, `CONVERSATION_BUSY`, `INVALID_REQUEST` for a replacement that cannot
   * be sent.
   */
  removeMessageFile(
    id: ConversationId,
    fileId: string,
    replacement?: ReplaceMessageFileRequest,
  ): Promise<readonly MessageFile[]>;
}

export const messageFilesHandle: ServiceHandle<MessageFilesService> = defineHandle<MessageFilesService>(
  "message-files@1",
  {
    messageFiles: "function",
    removeMessageFile: "function",
  },
);

export const fileChangesHandle: ServiceHandle<FileChangesService> = defineHandle<FileChangesService>(
  "file-changes@1",
  {
    fileChanges: "function",
    restoreFiles: "function",
  },
);
