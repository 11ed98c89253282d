import { anthropicRequestSchema } from "./anthropic-request.ts";
import { reasoningOf, type WrittenReply } from "../wire/model-reply.ts";
import { parseRequestJson } from "../wire/request-json.ts";

/** https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks */
const preserved = /^claude-(?:(?:fable|mythos)-5-\d|(?:opus|sonnet|haiku)-5-5)/;
const beta = "thinking-binding-controls-2026-08-01";

interface AnthropicCall {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Thinking of newer models is bound to `system`, `tools` and the messages before it. Another prefix is rejected, unless
 * the request allows such blocks to be dropped.
 */
export class ThinkingBindings {
  /** Tests may reuse a signature. */
  readonly #prefixes = new Map<string, Set<string>>();

  learn({ body }: Pick<AnthropicCall, "body">, reply: WrittenReply): void {
    const signature = reasoningOf(reply)?.signature;
    const parsed = anthropicRequestSchema.safeParse(parseRequestJson(body)?.value);
    if (signature === undefined || !parsed.success) return;
    const prefixes = this.#prefixes.get(signature) ?? new Set();
    this.#prefixes.set(signature, prefixes.add(prefixOf(parsed.data, parsed.data.messages.length)));
  }

  /** Returns the vendor's error message; `undefined` when the request is accepted. */
  refusal({ body, headers }: AnthropicCall): string | undefined {
    const parsed = anthropicRequestSchema.safeParse(parseRequestJson(body)?.value);
    if (!parsed.success) return undefined;
    const { model, messages, thinking } = parsed.data;
    const binding = thinking?.["block_binding"];
    const hasBeta = headers["anthropic-beta"]?.split(",").includes(beta) === true;
    if (binding !== undefined && (!hasBeta || !preserved.test(model)))
      return "thinking.block_binding: Extra inputs are not permitted";
    const mayDrop = binding !== undefined && JSON.stringify(binding).includes('"drop_block"');
    if (!preserved.test(model) || mayDrop) return undefined;
    for (const [index, { content }] of messages.entries())
      for (const [place, block] of (typeof content === "string" ? [] : content).entries()) {
        const known = block.type === "thinking" ? this.#prefixes.get(block.signature) : undefined;
        if (known === undefined || known.has(prefixOf(parsed.data, index))) continue;
        return `messages.${index}.content.${place}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".`;
      }
    return undefined;
  }
}

/** Returns the prefix of a request, without cache breakpoints. */
function prefixOf(
  {
    system,
    tools,
    messages,
  }: { readonly system?: unknown; readonly tools?: unknown; readonly messages: readonly unknown[] },
  count: number,
): string {
  return JSON.stringify([system, tools, messages.slice(0, count)], (key, value: unknown) =>
    key === "cache_control" ? undefined : value,
  );
}
