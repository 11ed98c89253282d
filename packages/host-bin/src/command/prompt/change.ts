import type { TemplateChange } from "@incipit/schema";
import { clippedLine } from "@incipit/host/text";
import type { Arguments } from "../arguments/arguments.ts";

const maxAuthorLength = 100;

/** What a version says of itself: the user of this machine, and the note that was given. */
export function changeOf({ note }: Arguments): TemplateChange {
  // As POSIX has them; what starts a command without a login, such as a container, may set neither.
  const user = process.env["USER"] || process.env["LOGNAME"] || "command";
  return {
    author: clippedLine(user, { maxCharacters: maxAuthorLength }),
    ...(note === undefined ? {} : { note }),
  };
}
