import { defineHandle, type ServiceHandle, type StorageBatch } from "@incipit/kernel";
import type { ConversationId, FilePart, TurnId } from "@incipit/schema";

/** What somebody gets in place of a reply, or of a part of it. */
export type ReplyPart =
  /** Markdown; never white space alone. */
  { readonly kind: "text"; readonly text: string } | ReplyFile | RefusedFile;

export interface ReplyFile {
  readonly kind: "file";
  /** As the model wrote it, relative to the conversation's folder: for `read`. */
  readonly path: string;
  /** Its last part, without what steers a screen. */
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface RefusedFile {
  readonly kind: "refused";
  /** The line of the reply, or what `send_file` was asked for in the same form. */
  readonly line: string;
  /** Such as `it leads out of the working folder`: goes on behind what was not sent. */
  readonly why: string;
}

export interface SplitRequest {
  /** The turn whose reply it is. */
  readonly turnId: TurnId;
  /** Markdown, as the model wrote it. */
  readonly reply: string;
  /** Most bytes of one file, where the way out takes fewer than the host would send. */
  readonly maxFileBytes?: number;
  readonly signal?: AbortSignal;
}

export interface SplitReply {
  /** In the order of the reply; files of `send_file` that the reply does not name come last. */
  readonly parts: readonly ReplyPart[];
  /** What the model is told with the next message; `undefined`: nothing was refused. */
  readonly note: string | undefined;
  /**
   * Marks what `send_file` was asked for in that turn as handed out: to be joined to the commit that takes the parts. Until then
   * the same comes again. `undefined`: there was nothing.
   */
  readonly taken: StorageBatch | undefined;
}

export interface SentFile {
  /** The sender's choice, and never a path; `undefined`: it has none. */
  readonly name: string | undefined;
  /** As the sender says. */
  readonly mediaType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export type KeptFile =
  /** An image that the model takes. */
  | { readonly kind: "image"; readonly part: FilePart }
  | {
      readonly kind: "kept";
      /** Relative to the conversation's folder. */
      readonly path: string;
      /** What the model is told. */
      readonly text: string;
    }
  | {
      readonly kind: "refused";
      /** Such as `it has more than 20 MB`. */
      readonly why: string;
      /** What the model is told. */
      readonly text: string;
    };

/**
 * Files that models send back, and files that people send them. A path leads nowhere but to a regular file below the folder of
 * its conversation, by real path, at the time of the call. Every method rejects with a `ServiceError` for a conversation that is
 * not there, and for nothing that a reply or a file holds.
 */
export interface Media {
  /** Parts a reply at its lines `MEDIA:<relative-path>`, and reads their files. Stores nothing by itself. */
  split(id: ConversationId, request: SplitRequest): Promise<SplitReply>;
  /** Reads a file again, such as before it is sent a second time. */
  read(
    id: ConversationId,
    path: string,
    options?: { readonly maxFileBytes?: number; readonly signal?: AbortSignal },
  ): Promise<ReplyFile | RefusedFile>;
  /**
   * Keeps a file that somebody has sent: an image becomes a part of their message where the model takes it, anything else a file in
   * the inbox of the conversation's folder, under a name that the host makes. The `model` is the conversation's own when absent.
   */
  keep(
    id: ConversationId,
    file: SentFile,
    options?: { readonly model?: string; readonly signal?: AbortSignal },
  ): Promise<KeptFile>;
}

export const mediaHandle: ServiceHandle<Media> = defineHandle<Media>("media@1", {
  split: "function",
  read: "function",
  keep: "function",
});
