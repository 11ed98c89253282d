import type { TemplateChange } from "@incipit/transport-contract";
import { userInfo } from "node:os";
import type { Arguments } from "../arguments.ts";
import { shownLine } from "../shown-line.ts";

const maxAuthorLength = 200;

/** What a version says of itself: the user of this machine, and the note that was given. */
export function changeOf({ note }: Arguments): TemplateChange {
  return { author: userName(), ...(note === undefined ? {} : { note }) };
}

function userName(): string {
  try {
    return shownLine(userInfo().username, { maxCharacters: maxAuthorLength / 2 });
  } catch {
    return "unknown"; // A user without an entry in the system's list, as in some containers.
  }
}
