import type { CommandCall, CreateTurnRequest } from "@incipit/schema";

/** The input without halves of surrogate pairs: such a request is no JSON for some vendors, nor any later one with it. */
export function wellFormedInput(input: CreateTurnRequest["input"]): CreateTurnRequest["input"] {
  if (typeof input === "string") return input.toWellFormed();
  return input.map((part) => (part.type === "text" ? { ...part, text: part.text.toWellFormed() } : part));
}

/** As above. */
export function wellFormedCall({ name, arguments: given }: CommandCall): CommandCall {
  return given === undefined ? { name } : { name, arguments: given.toWellFormed() };
}
