import { fuzzyFilter } from "@earendil-works/pi-tui";
import type { Choice } from "../commands/command.ts";

/** Number of characters of an entry that are searched. */
const searched = 300;

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
    // Matches of a longer query also match the shorter one.
    const among = query.startsWith(this.#query) ? this.#found : this.#choices;
    this.#query = query;
    this.#found =
      query === ""
        ? this.#choices
        : byRank(fuzzyFilter([...among], query, (choice) => this.#texts.get(choice) ?? choice.label));
  }
}

function byRank(choices: readonly Choice[]): readonly Choice[] {
  return choices.some(({ rank = 0 }) => rank !== 0)
    ? choices.toSorted(({ rank: one = 0 }, { rank: other = 0 }) => one - other)
    : choices;
}
