import type { AnswerContent } from "@incipit/schema";

/** What a person says to a question for values. */
export type ValuesAnswer =
  | { readonly action: "accept"; readonly content: AnswerContent }
  | { readonly action: "decline" };
