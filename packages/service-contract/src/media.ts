import { defineHandle, type ServiceHandle, type StorageBatch } from "@incipit/kernel";
import type { ConversationId, FilePart, TurnId } from "@incipit/schema";

/** A part of a reply as delivered to a client. */
export type ReplyPart =
  /** Markdown; never only white space. */
  { readonly kind: "text"; readonly text: string } | ReplyFile | RefusedFile;

export interface ReplyFile {
  readonly kind: "file";
  /** As written by the model, relative to the conversation's folder; accepted by `read`. */
  readonly path: string;
  /** Base name without control characters. */
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface RefusedFile {
  readonly kind: "refused";
  /** The reply's line, or the equivalent line for a `send_file` call. */
  readonly line: string;
  /** Reason that completes the sentence after the file's name, such as `it leads out of the working folder`. */
  readonly why: string;
}

export interface SplitRequest {
  /** Turn of the reply. */
  readonly turnId: TurnId;
  /** Markdown as written by the model. */
  readonly reply: string;
  /** Maximum size of one file, if the channel's limit is below the host's. */
  readonly maxFileBytes?: number;
  readonly signal?: AbortSignal;
}

export interface SplitReply {
  /** In reply order; files of `send_file` that the reply does not name come last. */
  readonly parts: readonly ReplyPart[];
  /** Added to the model's next message; `undefined` if nothing was refused. */
  readonly note: string | undefined;
  /**
   * Marks the turn's `send_file` files as delivered; commit it together with the parts. Until then, `split` returns
   * them again. `undefined` if there are none.
   */
  readonly taken: StorageBatch | undefined;
}

export interface SentFile {
  /** Chosen by the sender, if any; never a path. */
  readonly name: string | undefined;
  /** As declared by the sender. */
  readonly mediaType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export type KeptFile =
  /** An image that the model accepts. */
  | { readonly kind: "image"; readonly part: FilePart }
  | {
      readonly kind: "kept";
      /** Relative to the conversation's folder. */
      readonly path: string;
      /** Text for the model. */
      readonly text: string;
    }
  | {
      readonly kind: "refused";
      /** Such as `it has more than 20 MB`. */
      readonly why: string;
      /** Text for the model. */
      readonly text: string;
    };

/**
 * Files sent by models and by users. A path must resolve (real path, at call time) to a regular file below the
 * conversation's folder. Methods reject with a `ServiceError` only for an unknown conversation, never for the
 * content of a reply or file.
 */
export interface Media {
  /** Splits a reply at its `MEDIA:<relative-path>` lines and reads the files. Stores nothing. */
  split(id: ConversationId, request: SplitRequest): Promise<SplitReply>;
  /** Reads a file again, such as for a second delivery. */
  read(
    id: ConversationId,
    path: string,
    options?: { readonly maxFileBytes?: number; readonly signal?: AbortSignal },
  ): Promise<ReplyFile | RefusedFile>;
  /**
   * Accepts a file from a user: an image becomes a message part if the model supports it; other files are stored in
   * the inbox of the conversation's folder under a generated name. `model` defaults to the conversation's.
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
