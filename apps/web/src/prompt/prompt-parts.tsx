import type { Explain } from "@incipit/schema";
import type { JSX } from "preact";
import { memo } from "preact/compat";
import { useState } from "preact/hooks";
import { promptWords } from "../text/prompt-words.ts";
import { countOf } from "./numbers.ts";

type PromptRange = Explain["ranges"][number];

interface PromptPartsProps {
  readonly text: string;
  readonly ranges: readonly PromptRange[];
  /** Somebody points at a part, or came to it with the keyboard. */
  readonly onPoint: (index: number) => void;
  /** Somebody wants to see its place in the template. */
  readonly onChoose: (index: number) => void;
}

const partsAtOnce = 400;
const unitsAtOnce = 20_000;

/** The whole text, each part coloured by where it came from; the parts are one stop of the Tab key. */
export const PromptParts = memo(({ text, ranges, onPoint, onChoose }: PromptPartsProps): JSX.Element => {
  const said = promptWords.preview;
  const [rounds, setRounds] = useState(1);
  const [current, setCurrent] = useState(0);
  const end = unitsAtOnce * rounds;
  const shown = ranges.slice(0, partsAtOnce * rounds).filter(({ start }) => start < end);
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
    <>
      <div
        class="parts"
        role="group"
        dir="auto"
        aria-label={said.label}
        aria-describedby="parts-keys"
        onKeyDown={(event) => move(event, event.currentTarget)}
        onFocusIn={({ target }) => {
          const index = partAt(target);
          if (index === undefined) return;
          setCurrent(index);
          onPoint(index);
        }}
        onMouseOver={({ target }) => {
          const index = partAt(target);
          if (index !== undefined) onPoint(index);
        }}
        onClick={({ target }) => {
          const index = partAt(target);
          // Whoever selects text to copy it does not want to leave.
          if (index !== undefined && getSelection()?.isCollapsed !== false) onChoose(index);
        }}
      >
        {shown.map(({ start, end: partEnd, origin }, index) => (
          <span
            key={index}
            class="part"
            role="button"
            tabIndex={index === stop ? 0 : -1}
            data-part={index}
            data-origin={origin}
          >
            {text.slice(start, Math.min(partEnd, end))}
          </span>
        ))}
      </div>
      {shownEnd < text.length && (
        <button type="button" onClick={() => setRounds(rounds * 4)}>
          {said.more(countOf(text.length - shownEnd))}
        </button>
      )}
    </>
  );
});

function partAt(target: EventTarget | null): number | undefined {
  const part = target instanceof HTMLElement ? target.dataset["part"] : undefined;
  return part === undefined ? undefined : Number(part);
}
