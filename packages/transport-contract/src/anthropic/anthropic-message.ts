import { callTimeoutSchema, clientNameSchema, lazySchema } from "@incipit/schema";
import * as z from "zod";

// Formats of Anthropic's Messages API: https://docs.claude.com/en/api/messages. Unknown fields are rejected at any
// depth, as Anthropic does: docs/decisions/2026-11-27-fields-of-client-requests.md.

/** Cache markers, which are ignored: the host sets its own. */
const markSchema = z.unknown().optional();
/** Accepted, but ignored. */
const hintSchema = z.unknown().optional();

const notHere = (rule: string): z.ZodOptional<z.ZodNullable<z.ZodLiteral<null>>> =>
  z.literal(null, { error: rule }).nullish();
/** Not supported: the host has no toolsets. */
const noToolset = notHere("must be omitted: Anthropic's toolsets are not supported");

const textBlockSchema = lazySchema(() =>
  z.strictObject({ type: z.literal("text"), text: z.string(), cache_control: markSchema, citations: hintSchema }),
);

const sourceSchema = lazySchema(() =>
  z.discriminatedUnion(
    "type",
    [
      z.strictObject({
        type: z.literal("base64"),
        /** Media type, such as `image/png`. */
        media_type: z.string(),
        data: z.string(),
      }),
      z.strictObject({
        type: z.literal("text"),
        media_type: z.literal("text/plain"),
        /** Text of the document. */
        data: z.string(),
      }),
    ],
    {
      error:
        'must be of type "base64", or "text" for a document: this host fetches nothing for a call, and keeps no files',
    },
  ),
);
export type AnthropicSource = z.infer<typeof sourceSchema>;

const imageBlockSchema = lazySchema(() =>
  z.strictObject({
    type: z.literal("image"),
    /** Content of the image. */
    source: sourceSchema,
    cache_control: markSchema,
    /** Handling of oversized images; ignored. */
    transformations: hintSchema,
  }),
);
const documentBlockSchema = lazySchema(() =>
  z.strictObject({
    type: z.literal("document"),
    /** Content of the document. */
    source: sourceSchema,
    /** Title of the document. */
    title: z.string().nullish(),
    /** Context of the document for the model. */
    context: z.string().nullish(),
    cache_control: markSchema,
    /** Citations; only `enabled: false` is supported. */
    citations: z
      .strictObject({
        /** Not supported: answers have no citations of documents. */
        enabled: z.literal(false, { error: "must be false or omitted: citations are not supported" }).nullish(),
      })
      .nullish(),
  }),
);

const toolResultBlockSchema = lazySchema(() =>
  z.strictObject({
    type: z.literal("tool_result"),
    /** Id of the call. */
    tool_use_id: z.string(),
    /** Output of the tool: a text, or blocks in order. */
    content: z
      .union(
        [
          z.string(),
          z.array(
            z.discriminatedUnion("type", [textBlockSchema, imageBlockSchema, documentBlockSchema], {
              error: 'must be a block of type "text", "image" or "document"',
            }),
          ),
        ],
        { error: 'must be a string, or a list of blocks of type "text", "image" or "document"' },
      )
      .nullish(),
    /** Whether the tool failed. */
    is_error: z.boolean().nullish(),
    cache_control: markSchema,
    toolset_name: noToolset,
  }),
);

const userBlockSchema = lazySchema(() =>
  z.discriminatedUnion("type", [textBlockSchema, imageBlockSchema, documentBlockSchema, toolResultBlockSchema], {
    error: 'must be a block of type "text", "image", "document" or "tool_result"',
  }),
);
export type AnthropicUserBlock = z.infer<typeof userBlockSchema>;

const assistantBlockSchema = lazySchema(() =>
  z.discriminatedUnion(
    "type",
    [
      textBlockSchema,
      z.strictObject({
        type: z.literal("tool_use"),
        /** Id of the call. */
        id: z.string(),
        name: z.string(),
        /** Arguments of the call. */
        input: z.record(z.string(), z.json()),
        cache_control: markSchema,
        /** Caller, which is always the model. */
        caller: z
          .strictObject({
            type: z.literal("direct", { error: 'must be "direct": no program of Anthropic\'s calls tools here' }),
          })
          .nullish(),
        toolset_name: noToolset,
      }),
      z.strictObject({
        type: z.literal("thinking"),
        thinking: z.string(),
        /** Signature from the host, which stores the vendor's own. */
        signature: z.string().nullish(),
      }),
      z.strictObject({
        type: z.literal("redacted_thinking"),
        /** Encrypted thinking; not sent to the model. */
        data: z.string(),
      }),
    ],
    { error: 'must be a block of type "text", "tool_use", "thinking" or "redacted_thinking"' },
  ),
);
export type AnthropicAssistantBlock = z.infer<typeof assistantBlockSchema>;

const systemSchema = lazySchema(() =>
  z.union([z.string(), z.array(textBlockSchema)], { error: "must be a string, or a list of text blocks" }),
);

const anthropicMessageSchema = lazySchema(() =>
  z.discriminatedUnion(
    "role",
    [
      z.strictObject({
        role: z.literal("user"),
        content: z.union([z.string(), z.array(userBlockSchema)], {
          error: "must be a string, or a list of blocks",
        }),
      }),
      z.strictObject({
        role: z.literal("assistant"),
        content: z.union([z.string(), z.array(assistantBlockSchema)], {
          error: "must be a string, or a list of blocks",
        }),
      }),
      z.strictObject({ role: z.literal("system"), content: systemSchema }),
    ],
    { error: 'must be a message with the role "user", "assistant" or "system"' },
  ),
);
export type AnthropicMessage = z.infer<typeof anthropicMessageSchema>;

const toolSchema = lazySchema(() =>
  z.strictObject({
    /** Kind of tool; only `custom` is supported. */
    type: z
      .literal("custom", { error: 'must be "custom" or omitted: tools that Anthropic runs are not supported' })
      .nullish(),
    name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/, "must be 1 to 128 letters, digits, _ and -"),
    /** Purpose of the tool. */
    description: z.string().nullish(),
    /** JSON Schema of the arguments. */
    input_schema: z.record(z.string(), z.json()),
    cache_control: markSchema,
    /** Allowed callers; only the model (`direct`) is supported. */
    allowed_callers: z
      .array(z.literal("direct", { error: 'must be "direct" alone: no program of Anthropic\'s calls tools here' }))
      .nullish(),
    defer_loading: hintSchema,
    eager_input_streaming: hintSchema,
    input_examples: hintSchema,
    strict: hintSchema,
  }),
);

const toolChoiceSchema = lazySchema(() =>
  z.discriminatedUnion(
    "type",
    [
      z.strictObject({
        /** `auto`: the model decides. `any`: any tool. `none`: no tool. */
        type: z.enum(["auto", "any"]),
        /** `true`: at most one call per reply. */
        disable_parallel_tool_use: z.boolean().nullish(),
      }),
      z.strictObject({ type: z.literal("none") }),
      z.strictObject({
        type: z.literal("tool"),
        /** Tool that the model must call. */
        name: z.string(),
        /** `true`: at most one call per reply. */
        disable_parallel_tool_use: z.boolean().nullish(),
      }),
    ],
    { error: 'must be of type "auto", "any", "tool" with a `name`, or "none"' },
  ),
);

const thinkingHints = { display: hintSchema, block_binding: hintSchema };

const thinkingSchema = lazySchema(() =>
  z.discriminatedUnion(
    "type",
    [
      z.strictObject({
        type: z.literal("enabled"),
        /** Budget in tokens: up to 4,096 is low effort, up to 16,384 medium, more is high. */
        budget_tokens: z.int().positive(),
        ...thinkingHints,
      }),
      z.strictObject({ type: z.literal("adaptive"), ...thinkingHints }),
      z.strictObject({ type: z.literal("disabled") }),
    ],
    { error: 'must be of type "enabled" with `budget_tokens`, "adaptive" or "disabled"' },
  ),
);

const formatSchema = lazySchema(() =>
  z.strictObject({
    type: z.literal("json_schema", { error: 'must be "json_schema"' }),
    /** JSON Schema of the answer. */
    schema: z.record(z.string(), z.json()),
  }),
);

/** Fields of a call that also determine its token count. */
const told = {
  /** PROVIDER/MODEL; "default": that of the profile, else of the host. */
  model: clientNameSchema,
  /** Messages so far. */
  messages: z.array(anthropicMessageSchema).min(1, "must have at least one message"),
  /** System messages: a text or several. Defaults to the prompt of the profile or host. */
  system: systemSchema.nullish(),
  /** Tools that the model may call; the client runs them. */
  tools: z.array(toolSchema).nullish(),
  tool_choice: toolChoiceSchema.nullish(),
  /** Thinking before the answer. */
  thinking: thinkingSchema.nullish(),
  /** A configured profile; an extension of Anthropic's API. */
  profile: clientNameSchema.nullish(),
  /** `append`: adds `system` after the base instead of replacing it; an extension of Anthropic's API. */
  systemMode: z.enum(["replace", "append"]).nullish(),
  /** Absolute folder for the base's variables. Defaults to the host's; an extension of Anthropic's API. */
  cwd: z.string().nullish(),
  /** Marks everything for the cache; ignored, because the host sets its own markers. */
  cache_control: markSchema,
  context_management: hintSchema,
  /** Form of the reply. */
  output_config: z
    .strictObject({
      /** Effort of the model with `thinking`; takes precedence over `budget_tokens`. */
      effort: z.enum(["low", "medium", "high", "xhigh", "max"]).nullish(),
      /** Format of the reply. Defaults to text. */
      format: formatSchema.nullish(),
      task_budget: hintSchema,
    })
    .nullish(),
};

export const anthropicMessageRequestSchema = lazySchema(() =>
  z.strictObject({
    ...told,
    max_tokens: z.int().positive(),
    timeout: callTimeoutSchema,
    /** `true`: streams the reply as server-sent events. */
    stream: z.boolean().nullish(),
    temperature: z.number().min(0).max(1).nullish(),
    top_p: z.number().min(0).max(1).nullish(),
    /** Texts that end the reply. */
    stop_sequences: z.array(z.string()).nullish(),
    /** Number of likeliest tokens to choose from; rejected for vendors without this setting. */
    top_k: z.int().nonnegative().nullish(),
    /** Not supported: the host has no containers. */
    container: notHere("must be omitted: Anthropic's containers are not supported"),
    /** Not supported: configure MCP servers in the host, or use `tools`. */
    mcp_servers: z
      .array(z.never("must be omitted: add MCP servers to this host's configuration, or send `tools`"))
      .nullish(),
    // Hints to Anthropic's own service that do not affect the answer.
    /** Accepted, but ignored. */
    metadata: z
      .strictObject({
        /** Accepted, but ignored. */
        user_id: z.string().nullish(),
      })
      .nullish(),
    service_tier: hintSchema,
    inference_geo: hintSchema,
    speed: hintSchema,
  }),
);
export type AnthropicMessageRequest = z.infer<typeof anthropicMessageRequestSchema>;

export const anthropicCountRequestSchema = lazySchema(() => z.strictObject(told));
/** Common fields of a call and a token count. */
export type AnthropicTold = z.infer<typeof anthropicCountRequestSchema>;

const stopReasonSchema = z.enum(["end_turn", "max_tokens", "stop_sequence", "tool_use", "refusal"]);
export type AnthropicStopReason = z.infer<typeof stopReasonSchema>;

/** Usage reported by the vendor; unreported values are 0, because clients require numbers. */
const usageSchema = lazySchema(() =>
  z.object({
    /** Without cache reads and writes. */
    input_tokens: z.int(),
    /** Input tokens read from the vendor's cache; 0 if not reported. */
    cache_read_input_tokens: z.int(),
    /** Input tokens written to the vendor's cache; 0 if not reported. */
    cache_creation_input_tokens: z.int(),
    output_tokens: z.int(),
  }),
);
export type AnthropicUsage = z.infer<typeof usageSchema>;

const saidBlockSchema = lazySchema(() =>
  z.discriminatedUnion("type", [
    z.object({
      type: z.literal("text"),
      text: z.string(),
      /** Not supported: always `null`. */
      citations: z.null(),
    }),
    z.object({
      type: z.literal("tool_use"),
      /** Id of the call. */
      id: z.string(),
      name: z.string(),
      /** Arguments of the call. */
      input: z.record(z.string(), z.json()),
    }),
    z.object({
      type: z.literal("thinking"),
      thinking: z.string(),
      /** Placeholder that names the model call; the host stores and sends the vendor's own signature. */
      signature: z.string(),
    }),
  ]),
);
export type AnthropicSaidBlock = z.infer<typeof saidBlockSchema>;

/** A reply of a model, in Anthropic's format. */
export const anthropicReplySchema = lazySchema(() =>
  z.object({
    /** `msg_` and the id of the call's record. */
    id: z.string(),
    type: z.literal("message"),
    role: z.literal("assistant"),
    /** PROVIDER/MODEL that answers. */
    model: z.string(),
    /** Blocks of the reply, in order. */
    content: z.array(saidBlockSchema),
    /** `null` until the end. */
    stop_reason: stopReasonSchema.nullable(),
    /** The stop sequence of the request that ended it, if any and reported. */
    stop_sequence: z.string().nullable(),
    usage: usageSchema,
  }),
);
export type AnthropicReply = z.infer<typeof anthropicReplySchema>;

/** An event of a streamed message; the last is `message_stop` or `error`. */
export const anthropicStreamEventSchema = lazySchema(() =>
  z.discriminatedUnion("type", [
    z.object({
      type: z.literal("message_start"),
      message: anthropicReplySchema,
    }),
    z.object({
      type: z.literal("content_block_start"),
      /** Index of the block, from 0. */
      index: z.int(),
      /** Start of the block. */
      content_block: saidBlockSchema,
    }),
    z.object({
      type: z.literal("content_block_delta"),
      index: z.int(),
      /** Addition to the block. */
      delta: z.discriminatedUnion("type", [
        z.object({
          type: z.literal("text_delta"),
          /** Addition to the text. */
          text: z.string(),
        }),
        z.object({
          type: z.literal("thinking_delta"),
          /** Addition to the thinking. */
          thinking: z.string(),
        }),
        z.object({
          type: z.literal("signature_delta"),
          /** Placeholder that names the model call; the host stores and sends the vendor's own signature. */
          signature: z.string(),
        }),
        z.object({
          type: z.literal("input_json_delta"),
          /** Addition to the arguments, which form a JSON string. */
          partial_json: z.string(),
        }),
      ]),
    }),
    z.object({ type: z.literal("content_block_stop"), index: z.int() }),
    z.object({
      type: z.literal("message_delta"),
      /** How the reply ended. */
      delta: z.object({
        /** Why the reply ended. */
        stop_reason: stopReasonSchema,
        /** Stop sequence of the request that ended it, if any and reported. */
        stop_sequence: z.string().nullable(),
      }),
      usage: usageSchema,
    }),
    z.object({ type: z.literal("message_stop") }),
  ]),
);
export type AnthropicStreamEvent = z.infer<typeof anthropicStreamEventSchema>;

export const anthropicCountSchema = lazySchema(() =>
  z.object({
    /** Estimated tokens of the request. */
    input_tokens: z.int(),
  }),
);
