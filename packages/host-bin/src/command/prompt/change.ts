import type { TemplateChange } from "@incipit/schema";
import { clippedLine } from "@incipit/schema/text";

const maxAuthorLength = 100;

export function changeOf({ note }: { readonly note: string | undefined }): TemplateChange {
  // A process without a login, such as in a container, may have neither.
  const user = process.env["USER"] || process.env["LOGNAME"] || "command";
  return { author: clippedLine(user, { maxCharacters: maxAuthorLength }), note };
}
