import type { ToolAnswer } from "@incipit/service-contract";

/** What a tool says with its files, or in place of them. */
export function answerText(answer: string | ToolAnswer): string {
  return typeof answer === "string" ? answer : answer.text;
}
