import * as z from "zod";
import { timestampSchema } from "../values/timestamp.ts";
import { lazySchema } from "../values/lazy-schema.ts";

/**
 * What a vendor said about a part and wants back with it, such as a signature or encrypted reasoning: JSON, by the vendor's
 * key. Kept and returned as it came, and only to the provider that it came from.
 */
export const partMetadataSchema = lazySchema(() => z.record(z.string(), z.record(z.string(), z.json())));
export type PartMetadata = z.infer<typeof partMetadataSchema>;
const metadata = z.exactOptional(partMetadataSchema);

export const textPartSchema = lazySchema(() =>
  z.strictObject({ type: z.literal("text"), text: z.string(), metadata }),
);
/** The text is empty where the vendor shows nothing of it. */
const reasoningPartSchema = lazySchema(() =>
  z.strictObject({ type: z.literal("reasoning"), text: z.string(), metadata }),
);
export const filePartSchema = lazySchema(() =>
  z.strictObject({
    type: z.literal("file"),
    /** Such as `image/png`; without parameters. */
    mediaType: z.string(),
    /** Base64. */
    data: z.string(),
    filename: z.string().exactOptional(),
    /** A person has taken it out of what models get, who are told so in its place. */
    removedAt: timestampSchema.exactOptional(),
  }),
);
export type FilePart = z.infer<typeof filePartSchema>;
const toolCallPartSchema = lazySchema(() =>
  z.strictObject({
    type: z.literal("tool-call"),
    toolCallId: z.string(),
    name: z.string(),
    /** The arguments as the model wrote them: JSON text, kept byte for byte. */
    input: z.string(),
    metadata,
  }),
);
const toolResultPartSchema = lazySchema(() =>
  z.strictObject({
    type: z.literal("tool-result"),
    toolCallId: z.string(),
    name: z.string(),
    output: z.string(),
    isError: z.boolean(),
    /** What came with the text, such as pictures, in their order; a name says nothing here. */
    files: z.array(filePartSchema).min(1).exactOptional(),
  }),
);
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
