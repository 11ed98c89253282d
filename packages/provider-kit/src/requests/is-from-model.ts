import type { ModelMessage } from "@incipit/schema";

/** Also for a message that names no model. Messages have the provider in front, such as `openai/gpt-5.6`. */
export function isFromModel({ model: from }: Pick<ModelMessage, "model">, model: string): boolean {
  return from === undefined || from.slice(from.indexOf("/") + 1) === model;
}
