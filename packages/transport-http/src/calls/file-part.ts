import { turnInputSchema, type MessagePart } from "@incipit/schema";
import { invalidField } from "./invalid-field.ts";

export function toFilePart(
  file: { readonly mediaType: string; readonly data: string; readonly filename?: string },
  field: string,
): MessagePart {
  const checked = turnInputSchema.safeParse([{ type: "file", ...file }]);
  const part = typeof checked.data === "string" ? undefined : checked.data?.[0];
  if (part === undefined) throw invalidField(field, ruleOf(file));
  return part;
}

function ruleOf({ filename, mediaType }: { readonly filename?: string; readonly mediaType: string }): string {
  const named = filename === undefined ? "" : `, and "filename" a name of 1 to 255 characters without a path`;
  return `must be padded base64 without line breaks, not empty, with a media type such as "image/png" (got "${mediaType.slice(0, 100)}")${named}`;
}
