import type { ToolAnswer } from "@incipit/service-contract";

/** Returns the text of a tool's answer. */
export function answerText(answer: string | ToolAnswer): string {
  return typeof answer === "string" ? answer : answer.text;
}
