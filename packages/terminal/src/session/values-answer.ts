import type { AnswerContent } from "@incipit/schema";

export type ValuesAnswer =
  | { readonly action: "accept"; readonly content: AnswerContent }
  | { readonly action: "decline" };
