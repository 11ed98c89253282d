import * as z from "zod";
import { parseRequestJson } from "../wire/request-json.ts";
import type { PrefixPrompt, WireCall } from "../wire/simulated-cache.ts";

const requestSchema = z.looseObject({
  model: z.string().default(""),
  messages: z.array(z.looseObject({})),
  tools: z.array(z.looseObject({})).default([]),
  response_format: z.looseObject({}).optional(),
  prompt_cache_key: z.string().default(""),
});

/**
 * Order: https://platform.openai.com/docs/guides/prompt-caching. Calls with different `prompt_cache_key`s go to
 * different machines. `undefined` for an invalid body.
 */
export function chatPrompt({ body }: WireCall): PrefixPrompt | undefined {
  const parsed = requestSchema.safeParse(parseRequestJson(body)?.value);
  if (!parsed.success) return undefined;
  const { model, tools, response_format: format, messages, prompt_cache_key: cacheKey } = parsed.data;
  return {
    key: JSON.stringify([model, cacheKey]),
    parts: [...tools, ...(format === undefined ? [] : [format]), ...messages].map((part) => JSON.stringify(part)),
  };
}
