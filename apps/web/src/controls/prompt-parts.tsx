import type { Explain } from "@incipit/schema";
import type { JSX } from "preact";
import { memo } from "preact/compat";
import { useId, useState } from "preact/hooks";
import { amounts } from "../text/amounts.ts";
import { originWords, rangeName } from "../text/origin-words.ts";
import { words } from "../text/words.ts";

interface PromptPartsProps {
  readonly text: string;
  /** Cover the text, in order. */
  readonly ranges: Explain["ranges"];
  readonly label: string;
  /** What the keys do that choose a part, for whoever comes to one with them. */
  readonly keys: string;
  /** Ids of the parts' elements are this and `-INDEX`; absent: they have none. */
  readonly idPrefix?: string;
  /** All of it is drawn at once, so that any part can be led to; otherwise the beginning, and more when it is asked for. */
  readonly isWhole?: boolean;
  /** Index of the part that stands out. */
  readonly chosen?: number | undefined;
  /** Somebody points at a part, or came to it with the keyboard. */
  readonly onPoint?: (index: number) => void;
  readonly onChoose: (index: number) => void;
}

const partsAtOnce = 400;
const unitsAtOnce = 20_000;

/**
 * A prompt of which each part shows where it came from: by its colour, by the line under it, and in words under the mouse.
 * The parts are one stop of the Tab key, and the arrow keys go from one to the next.
 */
export const PromptParts = memo((props: PromptPartsProps): JSX.Element => {
  const { text, ranges, label, keys, idPrefix, isWhole = false, chosen, onPoint, onChoose } = props;
  const keysId = useId();
  const [rounds, setRounds] = useState(1);
  const [current, setCurrent] = useState(0);
  const end = isWhole ? text.length : unitsAtOnce * rounds;
  const shown = isWhole ? ranges : ranges.slice(0, partsAtOnce * rounds).filter(({ start }) => start < end);
  const shownEnd = Math.min(shown.at(-1)?.end ?? 0, end);
  const stop = Math.min(current, shown.length - 1);
  const move = (event: KeyboardEvent, element: HTMLElement): void => {
    const parts = [...element.querySelectorAll<HTMLElement>("[data-part]")];
    const at = parts.findIndex((part) => part === document.activeElement);
    const next = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0 }[event.key];
    const target = event.key === "End" ? parts.at(-1) : next === undefined ? undefined : parts[next];
    if (event.key === "Enter" || event.key === " ") onChoose(Number(parts[at]?.dataset["part"] ?? 0));
    else if (target === undefined) return;
    target?.focus();
    event.preventDefault();
  };
  return (
    <div class="prompt-parts">
      <Legend ranges={ranges} />
      <div
        class="parts"
        role="group"
        dir="auto"
        aria-label={label}
        aria-describedby={keysId}
        onKeyDown={(event) => move(event, event.currentTarget)}
        onFocusIn={({ target }) => {
          const index = partAt(target);
          if (index === undefined) return;
          setCurrent(index);
          onPoint?.(index);
        }}
        onMouseOver={({ target }) => {
          const index = partAt(target);
          if (index !== undefined) onPoint?.(index);
        }}
        onClick={({ target }) => {
          const index = partAt(target);
          // Whoever selects text to copy it does not want to leave.
          if (index !== undefined && getSelection()?.isCollapsed !== false) onChoose(index);
        }}
      >
        {shown.map((range, index) => (
          <span
            key={index}
            class="part"
            role="button"
            id={idPrefix === undefined ? undefined : `${idPrefix}-${index}`}
            tabIndex={index === stop ? 0 : -1}
            title={rangeName(range)}
            data-part={index}
            data-origin={range.origin}
            data-chosen={index === chosen}
          >
            {text.slice(range.start, Math.min(range.end, end))}
          </span>
        ))}
      </div>
      {shownEnd < text.length && (
        <button type="button" onClick={() => setRounds(rounds * 4)}>
          {words.state.moreCharacters(amounts.count(text.length - shownEnd))}
        </button>
      )}
      <p id={keysId} class="quiet">
        {keys}
      </p>
    </div>
  );
});

/** The colours of the parts that there are. */
function Legend({ ranges }: { readonly ranges: Explain["ranges"] }): JSX.Element {
  const origins = [...new Set(ranges.map(({ origin }) => origin))].filter((origin) => origin !== "separator");
  return (
    <ul class="legend" aria-label={originWords.label}>
      {origins.map((origin) => (
        <li key={origin}>
          <span class="part" data-origin={origin}>
            {originWords.names[origin]}
          </span>
        </li>
      ))}
    </ul>
  );
}

function partAt(target: EventTarget | null): number | undefined {
  const part = target instanceof HTMLElement ? target.dataset["part"] : undefined;
  return part === undefined ? undefined : Number(part);
}
