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
 * What tools have changed in files, and how it was before. A service of its own: whoever may send turns may not change files
 * without a person's yes, and putting back is a person's wish too.
 */
export interface FileChangesService {
  /**
   * The files that were changed from a message on, and what would become of each. Rejects with {@link ServiceError}
   * `MESSAGE_UNKNOWN`, `RESTORATION_UNKNOWN`.
   */
  fileChanges(
    id: ConversationId,
    query: FileChangesQuery,
    options: { readonly signal: AbortSignal },
  ): Promise<FileChanges>;
  /**
   * Puts the named files back, each whole or not at all, and only where it is as the turns left it; what was there is kept
   * first. Rejects as `fileChanges` does, and with `CONVERSATION_BUSY`.
   */
  restoreFiles(
    id: ConversationId,
    request: RestoreFilesRequest,
    options: { readonly signal: AbortSignal },
  ): Promise<RestoredFiles>;
}

/** The files of a conversation's messages. A service of its own: what a person has said is theirs to take out. */
export interface MessageFilesService {
  /** Those that the next request has, and those that were removed since the last compaction. */
  messageFiles(id: ConversationId): Promise<readonly MessageFile[]>;
  /**
   * Takes a file out of what models get, wherever it is in the messages since the last compaction, and puts another one behind it if
   * one is given. What was stored stays, with the time. Rejects with {@link ServiceError} `MESSAGE_UNKNOWN`, `CONVERSATION_BUSY`, and
   * `INVALID_REQUEST` for a file that cannot be sent.
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
