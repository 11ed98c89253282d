import type { JSX } from "preact";
import { Paragraph } from "../controls/fields.tsx";
import { LongText } from "../controls/long-text.tsx";
import { words } from "../text/words.ts";

/** Longer texts scroll in their own area. */
const longestInPlace = 8_000;

export function UserText({ text }: { readonly text: string }): JSX.Element {
  if (text.length > longestInPlace) return <LongText text={text} label={words.messages.longText} />;
  return <Paragraph class="said">{text}</Paragraph>;
}
