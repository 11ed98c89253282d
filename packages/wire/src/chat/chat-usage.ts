import type { Usage } from "@incipit/schema";

/** Missing and invalid counts are `null`, because 0 would mean that there was no cost. */
export function chatUsage(raw: unknown): Usage {
  const usage = fieldsOf(raw);
  const prompt = fieldsOf(usage["prompt_tokens_details"]);
  const completion = fieldsOf(usage["completion_tokens_details"]);
  // DeepSeek's names for `cached_tokens` and the rest of the prompt.
  const hit = numberOf(usage["prompt_cache_hit_tokens"]);
  const miss = numberOf(usage["prompt_cache_miss_tokens"]);
  const both = hit === undefined || miss === undefined ? undefined : hit + miss;
  const reasoningTokens = whole(numberOf(completion["reasoning_tokens"]));
  const output = numberOf(usage["completion_tokens"]);
  const total = numberOf(usage["total_tokens"]);
  const input = numberOf(usage["prompt_tokens"]) ?? both;
  const costUsd = costOf(usage);
  return {
    inputTokens: whole(input ?? rest(total, output)),
    outputTokens: whole(output ?? rest(total, input)),
    cacheReadTokens: whole(numberOf(prompt["cached_tokens"]) ?? hit),
    cacheWriteTokens: whole(numberOf(prompt["cache_write_tokens"])),
    ...(reasoningTokens === null ? {} : { reasoningTokens }),
    ...(costUsd === undefined ? {} : { costUsd }),
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function rest(total: number | undefined, part: number | undefined): number | undefined {
  return total === undefined || part === undefined ? undefined : total - part;
}

/**
 * OpenRouter reports US dollars as a number, with the charge for the user's own vendor key separately; Perplexity
 * reports an object: https://openrouter.ai/docs/use-cases/usage-accounting,
 * https://docs.perplexity.ai/api-reference
 */
function costOf(usage: Readonly<Record<string, unknown>>): number | undefined {
  const { cost } = usage;
  const charged = numberOf(cost) ?? numberOf(fieldsOf(cost)["total_cost"]);
  if (charged === undefined || charged < 0) return undefined;
  const upstream =
    usage["is_byok"] === true ? numberOf(fieldsOf(usage["cost_details"])["upstream_inference_cost"]) : undefined;
  return charged + Math.max(0, upstream ?? 0);
}

/** Returns a number, which some endpoints send as a string. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === "string" && /^\d{1,16}(\.\d{1,16})?$/.test(value)) return Number(value);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function whole(count: number | undefined): number | null {
  return count !== undefined && Number.isSafeInteger(count) && count >= 0 ? count : null;
}
