import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { words } from "../text/words.ts";

/** A line of two texts, or of one of them. */
export interface DiffLine {
  readonly side: "both" | "before" | "after";
  readonly text: string;
}

/** Lines that are drawn until somebody asks for more. */
const shownAtOnce = 500;

interface DiffLinesProps {
  readonly lines: readonly DiffLine[];
  readonly label: string;
}

/** What differs between two texts: a sign in front of each line says which of them has it, and not its colour alone. */
export function DiffLines({ lines, label }: DiffLinesProps): JSX.Element {
  const [shown, setShown] = useState(shownAtOnce);
  return (
    <>
      <pre class="diff" tabIndex={0} role="group" aria-label={label} dir="auto">
        {lines.slice(0, shown).map(({ side, text }, index) => {
          switch (side) {
            case "both":
              return <span key={index}>{`  ${text}\n`}</span>;
            case "before":
              return <del key={index}>{`- ${text}\n`}</del>;
            case "after":
              return <ins key={index}>{`+ ${text}\n`}</ins>;
          }
        })}
      </pre>
      {shown < lines.length && (
        <button type="button" class="plain" onClick={() => setShown(shown + shownAtOnce)}>
          {words.state.more}
        </button>
      )}
    </>
  );
}
