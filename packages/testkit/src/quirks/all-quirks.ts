import type { WireName } from "../model-server/wire/wire-format.ts";
import { chatReplyQuirks } from "./chat-reply-quirks.ts";
import { refusalQuirks } from "./refusal-quirks.ts";
import type { Quirk } from "./quirk.ts";

/** Returns what servers of a format are known to do. */
export function quirksOf(wire: WireName): readonly Quirk[] {
  return [...chatReplyQuirks, ...refusalQuirks].filter(({ wires }) => wires.includes(wire));
}
