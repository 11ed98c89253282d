import type { CommandCall, CreateTurnRequest } from "@incipit/schema";

/** Removes lone surrogates: some vendors reject such a request, and all later ones with it. */
export function wellFormedInput(input: CreateTurnRequest["input"]): CreateTurnRequest["input"] {
  if (typeof input === "string") return input.toWellFormed();
  return input.map((part) => (part.type === "text" ? { ...part, text: part.text.toWellFormed() } : part));
}

export function wellFormedCall({ name, arguments: given }: CommandCall): CommandCall {
  return given === undefined ? { name } : { name, arguments: given.toWellFormed() };
}
