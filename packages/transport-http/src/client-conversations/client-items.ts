import type { StoredClientItem } from "@incipit/service-contract";
import {
  clientItemSchema,
  responseInputItemSchema,
  type ClientItem,
  type ResponseInputItem,
  type ResponseRequest,
} from "@incipit/transport-contract";
import * as z from "zod";

const prefixes = { message: "msg", function_call: "fc", function_call_output: "fco", reasoning: "rs" } as const;

export type GivenItem = Exclude<ResponseInputItem, { readonly type: "item_reference" }>;

export function toClientItem(given: GivenItem): ClientItem {
  const id = `${prefixes[given.type]}_${crypto.randomUUID().replaceAll("-", "")}`;
  const status = "completed" as const;
  switch (given.type) {
    case "message": {
      const { type, role, content } = given;
      const kind = role === "assistant" ? "output_text" : "input_text";
      return {
        type,
        id,
        status,
        role,
        content: typeof content === "string" ? [{ type: kind, text: content }] : content,
      };
    }
    case "function_call":
    case "function_call_output":
      return { ...given, id, status };
    case "reasoning":
      return { type: given.type, id, summary: given.summary ?? [] };
  }
}

export function toInputItem(item: ClientItem): ResponseInputItem {
  return responseInputItemSchema.parse(item);
}

export function toStoredItem(item: ClientItem): StoredClientItem {
  return { id: item.id, value: z.json().parse(clientItemSchema.parse(item)) };
}

/** Adds the type to messages without one, which OpenAI accepts. */
export function typed(items: ResponseRequestItems): readonly ResponseInputItem[] {
  return items.map((item) => ("type" in item ? item : { type: "message", ...item }));
}

type ResponseRequestItems = Exclude<ResponseRequest["input"], string>;
