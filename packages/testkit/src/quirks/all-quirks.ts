import type { WireName } from "../model-server/wire/wire-format.ts";
import { chatReplyQuirks } from "./chat-reply-quirks.ts";
import { refusalQuirks } from "./refusal-quirks.ts";
import type { Quirk } from "./quirk.ts";

/** Every quirk of the test kit, of all formats. */
export const allQuirks: readonly Quirk[] = [...chatReplyQuirks, ...refusalQuirks];

/** Returns the quirks that servers of a format are known for. */
export function quirksOf(wire: WireName): readonly Quirk[] {
  return allQuirks.filter(({ wires }) => wires.includes(wire));
}
