import type { Explain } from "@incipit/schema";
import type { JSX } from "preact";
import { promptWords } from "../text/prompt-words.ts";

/** The winning source first, then in order of precedence. */
export function TierStack({
  tiers,
  draftSource,
}: Pick<Explain, "tiers"> & { readonly draftSource: string }): JSX.Element {
  const said = promptWords.tiers;
  return (
    <ul class="tiers">
      {tiers
        .toSorted((one, other) => Number(other.won) - Number(one.won))
        .map(({ position, source, won, reason, template }) => (
          <li key={position} data-state={won ? "won" : template === null ? "unset" : "lost"}>
            <span class="quiet">{said.place(position)}</span>{" "}
            <span>{source === draftSource ? said.draft : source}</span>{" "}
            {won && <strong class="mark">{said.wins}</strong>}{" "}
            <span class="quiet">{reason.replaceAll(draftSource, said.draft)}</span>
          </li>
        ))}
    </ul>
  );
}
