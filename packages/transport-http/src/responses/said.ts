import { lazySchema } from "@incipit/schema";
import type { ReplyDelta } from "@incipit/wire";
import * as z from "zod";

/** Chunks of one text are grouped but not merged, so that events keep their numbers. */
export const storedOutputSchema = lazySchema(() =>
  z.discriminatedUnion("type", [
    z.object({ type: z.enum(["text-delta", "reasoning-delta"]), partId: z.string(), texts: z.array(z.string()) }),
    z.object({ type: z.enum(["text-end", "reasoning-end"]), partId: z.string() }),
    z.object({ type: z.literal("tool-call"), toolCallId: z.string(), name: z.string(), input: z.string() }),
  ]),
);
export type KeptSaid = z.infer<typeof storedOutputSchema>;

export function toKept(said: readonly ReplyDelta[]): KeptSaid[] {
  const kept: KeptSaid[] = [];
  for (const event of said) {
    switch (event.type) {
      case "text-delta":
      case "reasoning-delta": {
        const { type, partId, text } = event;
        const last = kept.at(-1);
        if (last?.type === type && last.partId === partId && "texts" in last) last.texts.push(text);
        else kept.push({ type, partId, texts: [text] });
        break;
      }
      case "text-end":
      case "reasoning-end":
        kept.push({ type: event.type, partId: event.partId });
        break;
      case "tool-call": {
        const { type, toolCallId, name, input } = event;
        kept.push({ type, toolCallId, name, input });
        break;
      }
      case "text-start":
      case "reasoning-start":
      case "tool-call-start":
        break; // An item starts with its content.
    }
  }
  return kept;
}

export function* fromKept(kept: readonly KeptSaid[]): Generator<ReplyDelta> {
  for (const event of kept) {
    if ("texts" in event) for (const text of event.texts) yield { type: event.type, partId: event.partId, text };
    else yield event;
  }
}
