import type { Explain } from "@incipit/schema";
import type { JSX } from "preact";
import { promptWords } from "../text/prompt-words.ts";

/** Every place that can set the text, the first asked on top, with the one that won and why. */
export function TierStack({
  tiers,
  draftSource,
}: Pick<Explain, "tiers"> & { readonly draftSource: string }): JSX.Element {
  const said = promptWords.tiers;
  return (
    <ol class="tiers">
      {tiers.map(({ position, source, won, reason, template }) => (
        <li key={position} data-state={won ? "won" : template === null ? "unset" : "lost"}>
          <span>{source === draftSource ? said.draft : source}</span>{" "}
          {won && <strong class="mark">{said.wins}</strong>}{" "}
          <span class="quiet">{reason.replaceAll(draftSource, said.draft)}</span>
        </li>
      ))}
    </ol>
  );
}
