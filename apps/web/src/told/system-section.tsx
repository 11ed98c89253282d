import type { Explain } from "@incipit/schema";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { CopyButton } from "../controls/copy-button.tsx";
import { Folded } from "../controls/folded.tsx";
import { ScrolledTable } from "../controls/layout.tsx";
import { LongText } from "../controls/long-text.tsx";
import { PromptParts } from "../controls/prompt-parts.tsx";
import { LeftOutFiles } from "../prompt/left-out-files.tsx";
import { amounts } from "../text/amounts.ts";
import { byteSize } from "../text/bytes.ts";
import { rangeName } from "../text/origin-words.ts";
import { toldWords } from "../text/told-words.ts";
import { rangesOf } from "./context-parts.ts";
import { elementIds } from "./element-ids.ts";
import { revealElement } from "./element-ids.ts";

/** Longer texts are drawn in plain pieces. */
const longestColoured = 300_000;

type Origins = Pick<Explain, "ranges" | "variables" | "tiers">;

interface SystemSectionProps {
  /** `null` if no longer stored. */
  readonly systemTexts: readonly string[] | null;
  readonly explain: Origins | null;
}

export function SystemSection({ systemTexts, explain }: SystemSectionProps): JSX.Element {
  const said = toldWords.system;
  if (systemTexts === null) return <p class="quiet">{said.gone}</p>;
  if (systemTexts.length === 0) return <p class="quiet">{said.none}</p>;
  return (
    <>
      {systemTexts.map((text, index) => (
        <SystemText
          key={index}
          text={text}
          index={index}
          title={said.text(index + 1, systemTexts.length)}
          explain={explain}
        />
      ))}
    </>
  );
}

interface SystemTextProps {
  readonly text: string;
  readonly index: number;
  readonly title: string;
  readonly explain: Origins | null;
}

function SystemText({ text, index, title, explain }: SystemTextProps): JSX.Element {
  const said = toldWords.system;
  const [chosen, setChosen] = useState<number>();
  const ranges = rangesOf(text, explain);
  const isColoured = ranges.length > 0 && text.length <= longestColoured;
  return (
    <div class="system-text" id={elementIds.system(index)} tabIndex={-1}>
      {isColoured ? (
        <PromptParts
          text={text}
          ranges={ranges}
          label={title}
          keys={said.keys}
          isWhole
          idPrefix={elementIds.system(index)}
          chosen={chosen}
          onChoose={setChosen}
        />
      ) : (
        <>
          <p class="quiet">{ranges.length === 0 ? said.noOrigin : said.tooLong}</p>
          <LongText text={text} label={title} />
        </>
      )}
      <div class="row">
        <CopyButton text={text} />
        <span class="quiet">{amounts.bytes(byteSize(text))}</span>
      </div>
      {explain !== null && ranges.length > 0 && (
        <Folded title={said.parts}>
          <Parts
            explain={explain}
            text={text}
            chosen={chosen}
            onShow={(range) => {
              setChosen(range);
              revealElement(elementIds.range(index, range));
            }}
          />
        </Folded>
      )}
    </div>
  );
}

interface PartsProps {
  readonly explain: Origins;
  readonly text: string;
  readonly chosen: number | undefined;
  readonly onShow: (index: number) => void;
}

function Parts({ explain, text, chosen, onShow }: PartsProps): JSX.Element {
  const said = toldWords.system;
  const { context } = toldWords;
  const left = explain.variables.filter(({ kind, leftOut }) => kind === "absent" || leftOut !== undefined);
  const sources = new Map(explain.variables.map((variable) => [`${variable.type}:${variable.name}`, variable]));
  return (
    <>
      <ScrolledTable role="group" label={said.parts} columns={[context.part, context.size, said.from]}>
        {explain.ranges.map((range, index) => (
          <tr key={index} data-chosen={index === chosen}>
            <th scope="row">
              <button type="button" class="plain" dir="auto" onClick={() => onShow(index)}>
                <span class="swatch" data-origin={range.origin} aria-hidden="true" />
                {rangeName(range)}
              </button>
            </th>
            <td>{amounts.bytes(byteSize(text.slice(range.start, range.end)))}</td>
            <td dir="auto">{sources.get(range.name ?? "")?.source ?? range.tier}</td>
          </tr>
        ))}
      </ScrolledTable>
      {left.length > 0 && (
        <ul>
          {left.map(({ kind, type, name, reason, detail, leftOut }) => (
            <li key={`${type}:${name}`} class="quiet" dir="auto">
              {kind === "absent"
                ? said.absent(`${type}:${name}`, (leftOut === undefined ? detail : null) ?? reason ?? "")
                : `[${type}:${name}]`}
              <LeftOutFiles leftOut={leftOut} />
            </li>
          ))}
        </ul>
      )}
      <h3>{said.tiers}</h3>
      <ol>
        {explain.tiers.map(({ tier, source, reason, won }) => (
          <li key={tier} class={won ? "" : "quiet"} dir="auto">
            {said.tier(tier, source, reason)}
          </li>
        ))}
      </ol>
    </>
  );
}
