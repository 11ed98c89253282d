import * as z from "zod";
import { filenamePattern } from "../text/hidden-characters.ts";
import { lazySchema } from "../values/lazy-schema.ts";
import { filePartSchema } from "./message-part.ts";

/** RFC 6838, section 4.2, in lower case and without parameters. */
const mediaTypePattern = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;
const mediaTypeRule = 'must be a media type in small letters, without parameters, such as "image/png"';
/** Vendors reject messages without text, which would block the conversation. */
const hasText = /\S/;
const base64Rule = "must be base64 with its padding, without line breaks, of at least one byte";
const filenameRule = "must be a name of 1 to 255 characters, without a path, control and hidden characters";

const inputTextSchema = lazySchema(() =>
  z.strictObject({
    type: z.literal("text"),
    text: z.string().regex(hasText, "must have more than white space; leave the part out"),
  }),
);
export const inputFileSchema = lazySchema(() =>
  z.strictObject({
    ...filePartSchema.omit({ removedAt: true }).shape,
    /** Media type in lower case, without parameters, such as `image/png`. */
    mediaType: z.string().regex(mediaTypePattern, mediaTypeRule),
    data: z.string().refine(isBase64, base64Rule),
    filename: z.string().regex(filenamePattern, filenameRule).exactOptional(),
  }),
);
const inputPartSchema = lazySchema(() =>
  z.discriminatedUnion("type", [inputTextSchema, inputFileSchema], {
    error: 'must be { "type": "text", "text" } or { "type": "file", "mediaType", "data", "filename"? }',
  }),
);
const textSchema = z.string().regex(hasText, "must have more than white space");
const partsSchema = z
  .array(inputPartSchema)
  .min(1, "must have at least one part")
  .max(1_000, "must have at most 1,000 parts");

/** User input: a string, or ordered parts. */
export const turnInputSchema = lazySchema(() =>
  z.union([textSchema, partsSchema], {
    error: "must be a string, or a list of parts",
  }),
);

function isBase64(data: string): boolean {
  try {
    return data !== "" && btoa(atob(data)) === data;
  } catch {
    return false;
  }
}
