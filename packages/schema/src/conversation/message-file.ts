import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { conversationIdSchema, messageIdSchema } from "../values/ids.ts";
import { timestampSchema } from "../values/timestamp.ts";
import { filePartSchema } from "./message-part.ts";
import { inputFileSchema } from "./turn-input.ts";

/** First 12 hex digits of the SHA-256 of a file's bytes. */
const messageFileIdSchema = z.string().regex(/^[\da-f]{12}$/, "must be 12 hexadecimal digits");

export const messageFileParamsSchema = lazySchema(() =>
  z.object({ id: conversationIdSchema, fileId: messageFileIdSchema }),
);

/** A file of the messages in the next request. */
const messageFileSchema = lazySchema(() =>
  z.object({
    id: messageFileIdSchema,
    /** Newest message with the file. */
    messageId: messageIdSchema,
    ...filePartSchema.pick({ mediaType: true, filename: true }).shape,
    /** Size in bytes, as sent. */
    sizeBytes: z.int().nonnegative(),
    /** Since then, models get a notice instead of the file. */
    removedAt: timestampSchema.exactOptional(),
  }),
);
export type MessageFile = z.infer<typeof messageFileSchema>;
export const messageFilesSchema = lazySchema(() =>
  z.object({
    /** Files since the last compaction, oldest first, each content once. */
    files: z.array(messageFileSchema),
  }),
);

/** Replacement of a file; the rules for message files apply. */
export const replaceMessageFileRequestSchema = lazySchema(() => inputFileSchema.omit({ type: true }));
export type ReplaceMessageFileRequest = z.infer<typeof replaceMessageFileRequestSchema>;
