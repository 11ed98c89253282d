import * as z from "zod";
import { parseRequestJson } from "../wire/request-json.ts";
import type { PrefixPrompt, WireCall } from "../wire/simulated-cache.ts";

const idOf = (prefix: string): z.ZodOptional<z.ZodString> => z.string().startsWith(prefix).max(512).optional();
const inputContentSchema = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.enum(["input_text", "input_image", "input_file"]) })),
]);
const messageSchema = z.union([
  z.looseObject({
    type: z.literal("message").optional(),
    id: idOf("msg_"),
    role: z.literal("assistant"),
    content: z.union([z.string(), z.array(z.looseObject({ type: z.enum(["output_text", "refusal"]) }))]),
  }),
  z.looseObject({
    type: z.literal("message").optional(),
    role: z.enum(["user", "system", "developer"]),
    content: inputContentSchema,
  }),
]);
const toolSchema = z.looseObject({
  type: z.literal("function"),
  name: z.string(),
  parameters: z.looseObject({ type: z.literal("object") }),
});
const itemSchema = z.union([
  // https://developers.openai.com/api/docs/guides/tools-tool-search#add-tools-at-a-specific-point-in-the-input
  z.strictObject({
    type: z.literal("additional_tools"),
    role: z.literal("developer"),
    tools: z.array(toolSchema).min(1),
  }),
  messageSchema,
  z.looseObject({
    type: z.literal("function_call"),
    id: idOf("fc_"),
    call_id: z.string().min(1).max(64),
    name: z.string(),
    arguments: z.string(),
  }),
  z.looseObject({
    type: z.literal("function_call_output"),
    call_id: z.string().min(1).max(64),
    output: inputContentSchema,
  }),
  z.looseObject({
    type: z.literal("reasoning"),
    id: idOf("rs_"),
    summary: z.array(z.looseObject({ type: z.literal("summary_text"), text: z.string() })),
    encrypted_content: z.string().nullish(),
  }),
  z.looseObject({ type: z.literal("item_reference"), id: z.string() }),
]);
export type ResponsesItem = z.infer<typeof itemSchema>;

/** https://platform.openai.com/docs/api-reference/responses/create */
export const responsesRequestSchema = z.looseObject({
  model: z.string().min(1),
  input: z.union([z.string().min(1), z.array(itemSchema).min(1)]),
  instructions: z.string().nullish(),
  tools: z.array(toolSchema).min(1).optional(),
  text: z.looseObject({ format: z.unknown() }).optional(),
  store: z.boolean().optional(),
  max_output_tokens: z.int().min(16).optional(),
  prompt_cache_key: z.string().max(64).optional(),
});
export type ResponsesRequest = z.infer<typeof responsesRequestSchema>;

/** Calls with different `prompt_cache_key`s go to different machines. */
export function responsesPrompt({ body }: WireCall): PrefixPrompt | undefined {
  const parsed = responsesRequestSchema.safeParse(parseRequestJson(body)?.value);
  if (!parsed.success) return undefined;
  const { model, tools = [], text, instructions, input, prompt_cache_key: cacheKey = "" } = parsed.data;
  const items = typeof input === "string" ? [{ role: "user", content: input }] : input;
  const system = typeof instructions === "string" ? [{ role: "system", content: instructions }] : [];
  const format = text?.format === undefined ? [] : [{ format: text.format }];
  return {
    key: JSON.stringify([model, cacheKey]),
    parts: [...tools, ...format, ...system, ...items].map((part) => JSON.stringify(part)),
  };
}
