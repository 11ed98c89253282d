import { fuzzyFilter } from "@earendil-works/pi-tui";
import type { Choice } from "../commands/command.ts";

/** Characters of an entry in which is searched: of a message of many pages its beginning. */
const searched = 300;

/** The entries of a list that fit a search, the best ones first. */
export class FoundChoices {
  readonly #choices: readonly Choice[];
  readonly #texts: ReadonlyMap<Choice, string>;
  #query = "";
  #found: readonly Choice[];

  constructor(choices: readonly Choice[]) {
    this.#choices = byRank(choices);
    this.#texts = new Map(
      choices.map((choice) => [choice, `${choice.label} ${choice.description ?? ""}`.slice(0, searched)]),
    );
    this.#found = this.#choices;
  }

  get query(): string {
    return this.#query;
  }

  get found(): readonly Choice[] {
    return this.#found;
  }

  search(query: string): void {
    // What fits a longer search has fitted the one before it.
    const among = query.startsWith(this.#query) ? this.#found : this.#choices;
    this.#query = query;
    this.#found =
      query === ""
        ? this.#choices
        : byRank(fuzzyFilter([...among], query, (choice) => this.#texts.get(choice) ?? choice.label));
  }
}

/** Those of one rank stay in their order. */
function byRank(choices: readonly Choice[]): readonly Choice[] {
  return choices.some(({ rank = 0 }) => rank !== 0)
    ? choices.toSorted(({ rank: one = 0 }, { rank: other = 0 }) => one - other)
    : choices;
}
