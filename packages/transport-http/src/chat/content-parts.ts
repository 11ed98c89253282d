import type { MessagePart } from "@incipit/schema";
import type { ChatMessage } from "@incipit/transport-contract";
import { dataUrlPart } from "../calls/data-url-part.ts";
import { toFilePart } from "../calls/file-part.ts";
import { invalidField } from "../calls/invalid-field.ts";

type UserContent = Extract<ChatMessage, { readonly role: "user" }>["content"];
type UserPart = Exclude<UserContent, string>[number];
type TextContent = Exclude<ChatMessage["content"], null | undefined>;

export function toUserParts(content: UserContent, field: string): readonly MessagePart[] {
  if (typeof content === "string") return [{ type: "text", text: content.toWellFormed() }];
  if (content.length === 0) throw invalidField(`${field}.content`, "must have at least one part");
  return content.map((part, index) => toUserPart(part, `${field}.content.${index}`));
}

export function textOf(content: TextContent): string {
  if (typeof content === "string") return content.toWellFormed();
  return content
    .map((part) => {
      if (part.type === "text") return part.text;
      return part.type === "refusal" ? part.refusal : "";
    })
    .join("")
    .toWellFormed();
}

function toUserPart(part: UserPart, field: string): MessagePart {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text.toWellFormed() };
    case "image_url":
      return dataUrlPart(part.image_url.url, `${field}.image_url.url`);
    case "input_audio": {
      const { data, format } = part.input_audio;
      const mediaType = format === "wav" ? "audio/wav" : "audio/mpeg";
      return toFilePart({ mediaType, data }, `${field}.input_audio.data`);
    }
    case "file": {
      const { file_data: url, file_id: id, filename } = part.file;
      if (id !== undefined)
        throw invalidField(`${field}.file.file_id`, "files are not kept here: send `file_data`");
      if (url === undefined) throw invalidField(`${field}.file.file_data`, "must be there");
      return dataUrlPart(url, `${field}.file.file_data`, filename);
    }
  }
}
