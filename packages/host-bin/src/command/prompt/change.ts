import type { TemplateChange } from "@incipit/schema";
import { clippedLine } from "@incipit/schema/text";
import type { Arguments } from "../arguments/arguments.ts";

const maxAuthorLength = 100;

export function changeOf({ note }: Arguments): TemplateChange {
  // A process without a login, such as in a container, may have neither.
  const user = process.env["USER"] || process.env["LOGNAME"] || "command";
  return {
    author: clippedLine(user, { maxCharacters: maxAuthorLength }),
    ...(note === undefined ? {} : { note }),
  };
}
