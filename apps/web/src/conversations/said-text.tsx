import type { JSX } from "preact";
import { LongText } from "../controls/long-text.tsx";
import { words } from "../text/words.ts";

/** A longer one has a place of its own, in which it is read. */
const longestInPlace = 8_000;

/** What a person wrote, as they wrote it. */
export function SaidText({ text }: { readonly text: string }): JSX.Element {
  if (text.length > longestInPlace) return <LongText text={text} label={words.messages.longText} />;
  return (
    <p class="said" dir="auto">
      {text}
    </p>
  );
}
