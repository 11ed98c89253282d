import * as z from "zod";
import type { BreakpointPrompt, PromptBlock } from "./breakpoint-cache.ts";
import { parseRequestJson } from "../wire/request-json.ts";
import type { WireCall } from "../wire/simulated-cache.ts";

const cacheControl = z.looseObject({ type: z.literal("ephemeral") }).optional();
const textSchema = z.looseObject({ type: z.literal("text"), text: z.string(), cache_control: cacheControl });
const sourceSchema = z.looseObject({ type: z.string() });
const blockSchema = z.discriminatedUnion("type", [
  textSchema,
  z.looseObject({ type: z.enum(["image", "document"]), source: sourceSchema, cache_control: cacheControl }),
  z.looseObject({ type: z.literal("thinking"), thinking: z.string(), signature: z.string().min(1) }),
  z.looseObject({ type: z.literal("redacted_thinking"), data: z.string().min(1) }),
  z.looseObject({
    type: z.literal("tool_use"),
    // Allowed characters of an id: https://docs.claude.com/en/api/messages
    id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
    cache_control: cacheControl,
  }),
  z.looseObject({
    type: z.literal("tool_result"),
    tool_use_id: z.string(),
    content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).optional(),
    cache_control: cacheControl,
  }),
]);
export type AnthropicBlock = z.infer<typeof blockSchema>;

/** https://docs.claude.com/en/api/messages */
export const anthropicRequestSchema = z.looseObject({
  model: z.string().min(1),
  max_tokens: z.int().positive(),
  system: z.union([z.string(), z.array(textSchema).min(1)]).optional(),
  messages: z
    .array(
      z.looseObject({
        role: z.enum(["user", "assistant"]),
        content: z.union([z.string(), z.array(blockSchema)]),
      }),
    )
    .min(1),
  tools: z
    .array(
      z.looseObject({
        name: z.string(),
        input_schema: z.looseObject({ type: z.literal("object") }),
        cache_control: cacheControl,
        defer_loading: z.boolean().optional(),
      }),
    )
    .min(1)
    .optional(),
  thinking: z.looseObject({ type: z.string(), budget_tokens: z.int().min(1024).optional() }).optional(),
  tool_choice: z.looseObject({ type: z.string() }).optional(),
  cache_control: cacheControl,
});
export type AnthropicRequest = z.infer<typeof anthropicRequestSchema>;

/** In cache order; `undefined` for an invalid body. */
export function anthropicPrompt({ body }: Pick<WireCall, "body">): BreakpointPrompt | undefined {
  const parsed = anthropicRequestSchema.safeParse(parseRequestJson(body)?.value);
  if (!parsed.success) return undefined;
  const { model, tools = [], system = [], messages, thinking, tool_choice, cache_control } = parsed.data;
  // A string and a list of one text are different bytes.
  const systemBlocks = typeof system === "string" ? [toBlock("system", system)] : toBlocks("system", system);
  // A deferred tool's definition is inserted where a result refers to it.
  const deferred = new Map(
    tools.flatMap((tool) => (tool.defer_loading === true ? [[tool.name, tool] as const] : [])),
  );
  const expanded = (block: AnthropicBlock): object =>
    block.type !== "tool_result" || !Array.isArray(block.content)
      ? block
      : { ...block, content: block.content.map((part) => deferred.get(String(part["tool_name"])) ?? part) };
  const said = messages.flatMap(({ role, content }) =>
    typeof content === "string" ? [toBlock(role, content)] : toBlocks(role, content.map(expanded)),
  );
  const [first, ...rest] = said;
  // A change invalidates the cached messages, but neither tools nor system.
  const mode = JSON.stringify({ thinking, tool_choice });
  const marked = first === undefined ? [] : [{ ...first, text: mode === "{}" ? first.text : mode + first.text }];
  const loaded = tools.filter(({ name }) => !deferred.has(name));
  const blocks = [...toBlocks("tool", loaded), ...systemBlocks, ...marked, ...rest];
  // A top-level breakpoint applies to the last block.
  const last = blocks.length - 1;
  return {
    key: model,
    blocks: blocks.map((block, index) =>
      index === last && cache_control !== undefined ? { ...block, isBreakpoint: true } : block,
    ),
  };
}

function toBlocks(place: string, values: readonly object[]): readonly PromptBlock[] {
  return values.map((value) => toBlock(place, value));
}

function toBlock(place: string, value: unknown): PromptBlock {
  let isBreakpoint = false;
  const text = JSON.stringify(value, (key, inner: unknown) => {
    if (key !== "cache_control") return inner;
    isBreakpoint = true;
    return undefined;
  });
  return { text: `${place}:${text}`, isBreakpoint };
}

export function breakpointCount(body: string): number {
  return anthropicPrompt({ body })?.blocks.filter(({ isBreakpoint }) => isBreakpoint).length ?? 0;
}
