import type { AskPerson } from "./ask-at-terminal.ts";

/** An empty line is `usual`, and end of input is no. Rejects once `signal` aborts. */
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
    // An invalid answer may be the start of a message that the user was typing.
    const said = await askPerson(question, { signal, comesByItself: comesByItself || !isFirst });
    if (said.kind !== "answer") return said.kind === "interrupt" ? "interrupt" : "no";
    const word = said.text.trim().toLowerCase();
    if (word === "y" || word === "yes") return "yes";
    if (word === "") return usual;
    if (word === "n" || word === "no") return "no";
  }
}
