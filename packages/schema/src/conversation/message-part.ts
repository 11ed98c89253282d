import * as z from "zod";
import { timestampSchema } from "../values/timestamp.ts";
import { lazySchema } from "../values/lazy-schema.ts";

/**
 * Vendor data of a part, such as a signature or encrypted reasoning: JSON by vendor key. Returned unchanged, and
 * only to the provider that sent it.
 */
export const partMetadataSchema = lazySchema(() => z.record(z.string(), z.record(z.string(), z.json())));
export type PartMetadata = z.infer<typeof partMetadataSchema>;
/** Metadata that the vendor expects back, by the vendor's key. */
const metadata = z.exactOptional(partMetadataSchema);

/** A text. */
export const textPartSchema = lazySchema(() =>
  z.strictObject({ type: z.literal("text"), text: z.string(), metadata }),
);
/** Reasoning of the model. */
const reasoningPartSchema = lazySchema(() =>
  z.strictObject({
    type: z.literal("reasoning"),
    /** Reasoning; may be empty if the vendor does not show it. */
    text: z.string(),
    metadata,
  }),
);
/** An image or another file. */
export const filePartSchema = lazySchema(() =>
  z.strictObject({
    type: z.literal("file"),
    /** Media type in lower case, without parameters, such as `image/png`. */
    mediaType: z.string(),
    data: z.string(),
    filename: z.string().exactOptional(),
    /** Removed by the user; models get a notice instead. */
    removedAt: timestampSchema.exactOptional(),
  }),
);
export type FilePart = z.infer<typeof filePartSchema>;
/** A tool call of the model. */
const toolCallPartSchema = lazySchema(() =>
  z.strictObject({
    type: z.literal("tool-call"),
    toolCallId: z.string(),
    name: z.string(),
    /** Arguments as written by the model (JSON), byte for byte. */
    input: z.string(),
    metadata,
  }),
);
/** Result of a tool call. */
const toolResultPartSchema = lazySchema(() =>
  z.strictObject({
    type: z.literal("tool-result"),
    toolCallId: z.string(),
    name: z.string(),
    output: z.string(),
    /** Whether the call failed. */
    isError: z.boolean(),
    /** Attached files, such as images, in order; `filename` is ignored. */
    files: z.array(filePartSchema).min(1).exactOptional(),
  }),
);
/** A part of a message. */
export const messagePartSchema = lazySchema(() =>
  z.discriminatedUnion("type", [
    textPartSchema,
    reasoningPartSchema,
    filePartSchema,
    toolCallPartSchema,
    toolResultPartSchema,
  ]),
);
export type MessagePart = z.infer<typeof messagePartSchema>;
