import type { Reported } from "./reported.ts";

/** A line names a file to send. */
export interface MediaLineQuirk extends Reported {
  readonly reply: string;
  readonly paths: readonly string[];
}

const row = (
  id: string,
  reply: string,
  paths: readonly string[],
  { does, sources = [], ...more }: Pick<Reported, "does"> & Partial<Pick<Reported, "sources">>,
): MediaLineQuirk => ({ id, reply, paths, does, sources, ...more });

export const mediaLineQuirks: readonly MediaLineQuirk[] = [
  row("bold", "**MEDIA:x.png**", ["x.png"], { does: "the line is bold", sources: ["openclaw#78495"] }),
  row("code", "`MEDIA:./x.png`", ["./x.png"], { does: "the line is code", sources: ["openclaw#78495"] }),
  row("long-code", "```MEDIA:x.png```", ["x.png"], { does: "the line is code of three marks" }),
  row("italics", "_MEDIA:x.png_", ["x.png"], { does: "the line is in italics" }),
  row("bold-code", "**`MEDIA:x.png`**", ["x.png"], { does: "the line is bold code" }),
  row("bold-with-stop", "**MEDIA:x.png**.", ["x.png"], { does: "a full stop follows the marks" }),
  row("bold-word", "**MEDIA:** ./x.png", ["./x.png"], {
    does: "the word alone is bold",
    sources: ["openclaw#78534"],
  }),
  row("code-path", "MEDIA:`x.png`", ["x.png"], { does: "the path is code" }),
  row("quoted-path", 'MEDIA: "my x.png"', ["my x.png"], { does: "the path is in quotes" }),
  row("quoted-line", '"MEDIA:x.png"', ["x.png"], { does: "the line is in quotes" }),
  row("bracketed-line", "[MEDIA:x.png]", ["x.png"], { does: "the line is in brackets" }),
  row("bold-item", "- **MEDIA:x.png**", ["x.png"], { does: "an item of a list is bold" }),
  row("numbered", "1. MEDIA:x.png\n2) `MEDIA:y.png`", ["x.png", "y.png"], { does: "the list has numbers" }),
  row("bullets", "Files:\n- MEDIA:x.png\n* MEDIA:y.png", ["x.png", "y.png"], { does: "a list" }),
  row("angle-brackets", "MEDIA:<x.png>", ["x.png"], { does: "the path is in angle brackets" }),
  row("in-a-fence", "```\nMEDIA:x.png\n```", [], {
    does: "a fence shows the syntax",
    sources: ["openclaw#41966"],
  }),
  row("in-a-sentence", "Here it is: MEDIA:x.png", [], { does: "a sentence names it" }),
  row("words-behind", "`MEDIA:x.png` sends a file", [], { does: "words follow on the line" }),
  row("open-mark", "**MEDIA:x.png", ["x.png"], { does: "the marks are never closed" }),
  row("caption", "**Media:** 1 photo attached", [], {
    does: "a heading that is no directive",
    sources: ["openclaw#19847"],
  }),
  row("marks-alone", "**MEDIA:**", [], { does: "it names no path" }),
];
