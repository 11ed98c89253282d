import type { JSX } from "preact";
import { memo } from "preact/compat";
import { useState } from "preact/hooks";
import { words } from "../text/words.ts";
import { Button } from "./fields.tsx";
import { shownAtOnce } from "./shown-at-once.ts";

/** Browsers take seconds to lay out one line of megabytes; split, they lay out only the visible part. */
const pieceLength = 8_000;

interface LongTextProps {
  readonly text: string;
  readonly label: string;
}

/** Displays a long text unchanged, byte for byte. */
export const LongText = memo(({ text, label }: LongTextProps): JSX.Element => {
  const [shown, setShown] = useState(shownAtOnce);
  return (
    <>
      <pre class="long-text" tabIndex={0} role="group" aria-label={label} dir="auto">
        {piecesOf(text.slice(0, endOf(text, shown))).map((piece, index) => (
          <span key={index}>{piece}</span>
        ))}
      </pre>
      {shown < text.length && <Button text={words.state.more} onClick={() => setShown(shown + shownAtOnce)} />}
    </>
  );
});

function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    const lineEnd = text.lastIndexOf("\n", start + pieceLength);
    const end = lineEnd > start ? lineEnd + 1 : endOf(text, start + pieceLength);
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

const highSurrogates = [0xd8_00, 0xdb_ff] as const;

function endOf(text: string, length: number): number {
  const code = text.charCodeAt(length - 1);
  return length < text.length && code >= highSurrogates[0] && code <= highSurrogates[1] ? length + 1 : length;
}
