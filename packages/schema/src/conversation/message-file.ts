import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { conversationIdSchema, messageIdSchema } from "../values/ids.ts";
import { timestampSchema } from "../values/timestamp.ts";
import { filePartSchema } from "./message-part.ts";
import { inputFileSchema } from "./turn-input.ts";

/** A file of a conversation by its content: the first digits of the SHA-256 of its bytes. */
const messageFileIdSchema = z.string().regex(/^[\da-f]{12}$/, "must be 12 hexadecimal digits");

export const messageFileParamsSchema = lazySchema(() =>
  z.object({ id: conversationIdSchema, fileId: messageFileIdSchema }),
);

/** A file of the messages that the next request has. */
export const messageFileSchema = lazySchema(() =>
  z.object({
    id: messageFileIdSchema,
    /** The newest message that has it. */
    messageId: messageIdSchema,
    ...filePartSchema.pick({ mediaType: true, filename: true }).shape,
    sizeBytes: z.int().nonnegative(),
    /** The model is told of it since then, and does not get it. */
    removedAt: timestampSchema.exactOptional(),
  }),
);
export type MessageFile = z.infer<typeof messageFileSchema>;
export const messageFilesSchema = lazySchema(() => z.object({ files: z.array(messageFileSchema) }));

/** What takes the place of a file; its rules are those of a file of a message. */
export const replaceMessageFileRequestSchema = lazySchema(() => inputFileSchema.omit({ type: true }));
export type ReplaceMessageFileRequest = z.infer<typeof replaceMessageFileRequestSchema>;
