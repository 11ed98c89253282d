import type { ToolAnswer } from "@incipit/service-contract";

export function answerText(answer: string | ToolAnswer): string {
  return typeof answer === "string" ? answer : answer.text;
}
