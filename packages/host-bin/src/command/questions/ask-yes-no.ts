import type { AskPerson } from "./ask-at-terminal.ts";

/** Asks until it is a yes or a no, `usual` for an empty line; where the input ends it is a no. Rejects once `signal` aborts. */
export async function askYesNo(
  question: string,
  {
    askPerson,
    signal,
    usual = "no",
    comesByItself = false,
  }: {
    readonly askPerson: AskPerson;
    readonly signal: AbortSignal;
    readonly usual?: "yes" | "no";
    readonly comesByItself?: boolean;
  },
): Promise<"yes" | "no" | "interrupt"> {
  for (let isFirst = true; ; isFirst = false) {
    // Who typed what is no answer was perhaps writing something else, and goes on with that.
    const said = await askPerson(question, { signal, comesByItself: comesByItself || !isFirst });
    if (said.kind !== "answer") return said.kind === "interrupt" ? "interrupt" : "no";
    const word = said.text.trim().toLowerCase();
    if (word === "y" || word === "yes") return "yes";
    if (word === "") return usual;
    if (word === "n" || word === "no") return "no";
  }
}
