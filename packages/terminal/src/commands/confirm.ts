import type { CommandContext } from "./command.ts";

/** Asks for a yes or no; returns `false` when the user cancels. */
export async function isConfirmed(
  question: string,
  { yes, no, choose }: { readonly yes: string; readonly no: string; readonly choose: CommandContext["choose"] },
): Promise<boolean> {
  const choices = [
    { value: "yes", label: yes },
    { value: "no", label: no },
  ];
  return (await choose(question, choices, { isQuestion: true })) === "yes";
}
