import type { Explain } from "@incipit/schema";
import type { JSX } from "preact";
import { memo } from "preact/compat";
import { useId, useState } from "preact/hooks";
import { amounts } from "../text/amounts.ts";
import { originWords, rangeName } from "../text/origin-words.ts";
import { words } from "../text/words.ts";
import { Button } from "./fields.tsx";

interface PromptPartsProps {
  readonly text: string;
  readonly ranges: Explain["ranges"];
  readonly label: string;
  /** For screen reader users. */
  readonly keys: string;
  /** Parts get the ids `PREFIX-INDEX`; none if absent. */
  readonly idPrefix?: string;
  /** Links to any part work only if all parts are rendered. */
  readonly isWhole?: boolean;
  readonly chosen?: number | undefined;
  readonly onPoint?: (index: number) => void;
  readonly onChoose: (index: number) => void;
}

const partsAtOnce = 400;
const unitsAtOnce = 20_000;

/** Origins are shown by colour, underline and tooltip. The parts are one tab stop; arrow keys move between them. */
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
          // Selecting text must not navigate.
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
        <Button
          text={words.state.moreCharacters(amounts.count(text.length - shownEnd))}
          onClick={() => setRounds(rounds * 4)}
        />
      )}
      <p id={keysId} class="quiet">
        {keys}
      </p>
    </div>
  );
});

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
