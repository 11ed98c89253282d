import type { ToldInstructions } from "@incipit/schema";

const ways: Readonly<Record<ToldInstructions["by"], string>> = {
  "system-prompt": "in the protocol's field (system-prompt)",
  meta: "in _meta.systemPrompt (meta)",
  block: "as a text before the first message (block)",
};

export function instructionDeliveryText({ by, told }: ToldInstructions): string {
  return `${ways[by]}, ${told === "now" ? "with this request" : "earlier in the same session"}`;
}
