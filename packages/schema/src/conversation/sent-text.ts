import type { Message } from "./message.ts";

/** Returns a user message in the form in which the user can send it again. */
export function sentText({ parts, command }: Message): string {
  if (command !== undefined)
    return `/${command.name}${command.arguments === undefined ? "" : ` ${command.arguments}`}`;
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
