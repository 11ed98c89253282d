import type { Explain } from "@incipit/schema";
import type { JSX } from "preact";
import { promptWords } from "../text/prompt-words.ts";

const shownAtOnce = 20;

interface LeftOutFilesProps {
  readonly leftOut: Explain["variables"][number]["leftOut"] | undefined;
}

export function LeftOutFiles({ leftOut = [] }: LeftOutFilesProps): JSX.Element | null {
  const said = promptWords.variables;
  if (leftOut.length === 0) return null;
  return (
    <ul class="left-out" dir="auto">
      {leftOut.slice(0, shownAtOnce).map(({ path, why }, index) => (
        <li key={index}>{said.leftOut(path, why)}</li>
      ))}
      {leftOut.length > shownAtOnce && <li>{said.moreLeftOut(leftOut.length - shownAtOnce)}</li>}
    </ul>
  );
}
