import type { WireName } from "../model-server/wire/wire-format.ts";
import { anthropicReplyQuirks } from "./anthropic-reply-quirks.ts";
import { chatReplyQuirks } from "./chat-reply-quirks.ts";
import { geminiReplyQuirks } from "./gemini-reply-quirks.ts";
import { networkQuirks } from "./network-quirks.ts";
import { refusalQuirks } from "./refusal-quirks.ts";
import { responsesReplyQuirks } from "./responses-reply-quirks.ts";
import type { Quirk } from "./quirk.ts";

export const allQuirks: readonly Quirk[] = [
  ...chatReplyQuirks,
  ...responsesReplyQuirks,
  ...anthropicReplyQuirks,
  ...geminiReplyQuirks,
  ...networkQuirks,
  ...refusalQuirks,
];

export function quirksOf(wire: WireName): readonly Quirk[] {
  return allQuirks.filter(({ wires }) => wires.includes(wire));
}
