import type { Explain } from "@incipit/schema";
import type { JSX } from "preact";
import { toldWords } from "../text/told-words.ts";

export type PromptRange = Explain["ranges"][number];

interface PromptRangesProps {
  readonly text: string;
  /** Cover the text, in order. */
  readonly ranges: readonly PromptRange[];
  readonly label: string;
  /** Ids of the parts' elements are this and `-INDEX`. */
  readonly idPrefix: string;
  /** Index of the range that stands out. */
  readonly chosen?: number | undefined;
  readonly onChoose?: (index: number) => void;
}

/** A prompt of which each part shows where it came from: by its colour, by the line under it, and in words under the mouse. */
export function PromptRanges({ text, ranges, label, idPrefix, chosen, onChoose }: PromptRangesProps): JSX.Element {
  const origins = [...new Set(ranges.map(({ origin }) => origin))].filter((origin) => origin !== "separator");
  return (
    <div class="prompt-ranges">
      <ul class="told-legend" aria-label={toldWords.origins.label}>
        {origins.map((origin) => (
          <li key={origin}>
            <span data-origin={origin}>{toldWords.origins[origin]}</span>
          </li>
        ))}
      </ul>
      <pre tabIndex={0} role="group" aria-label={label} dir="auto">
        {ranges.map((range, index) => (
          <span
            key={index}
            id={`${idPrefix}-${index}`}
            tabIndex={-1}
            data-origin={range.origin}
            data-chosen={index === chosen}
            title={rangeName(range)}
            onClick={() => onChoose?.(index)}
          >
            {text.slice(range.start, range.end)}
          </span>
        ))}
      </pre>
    </div>
  );
}

/** Where a part of a prompt came from, in words. */
export function rangeName({ origin, name, tier, extension }: PromptRange): string {
  const what = toldWords.origins[origin];
  const whose = extension === null ? "" : ` (${extension})`;
  if (name !== null) return `${what} ${name}${whose}`;
  return origin === "literal" ? `${what} (${tier})` : `${what}${whose}`;
}
