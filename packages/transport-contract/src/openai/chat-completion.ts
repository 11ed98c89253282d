import { callTimeoutSchema, clientNameSchema, lazySchema } from "@incipit/schema";
import * as z from "zod";

// Formats of OpenAI's chat completions: https://platform.openai.com/docs/api-reference/chat. Unknown nested fields
// are rejected, except in parts of earlier answers, which may contain any vendor's fields:
// docs/decisions/2026-11-27-fields-of-client-requests.md.

/** Accepted, but ignored. */
const hintSchema = z.unknown().optional();
/** Cache markers of OpenAI and other endpoints, which are ignored: the host sets its own. */
const marks = { prompt_cache_breakpoint: hintSchema, cache_control: hintSchema };

const textPartSchema = lazySchema(() => z.strictObject({ type: z.literal("text"), text: z.string(), ...marks }));
const textContentSchema = lazySchema(() =>
  z.union([z.string(), z.array(textPartSchema)], {
    error: "must be a string, or a list of text parts",
  }),
);

/** A model's refusal is sent back as its text. */
const assistantContentSchema = lazySchema(() =>
  z.union(
    [
      z.string(),
      z.array(
        z.union([
          z.object({ type: z.literal("text"), text: z.string() }),
          z.object({ type: z.literal("refusal"), refusal: z.string() }),
        ]),
      ),
    ],
    { error: 'must be a string, or a list of parts of type "text" or "refusal"' },
  ),
);

const userPartSchema = lazySchema(() =>
  z.discriminatedUnion(
    "type",
    [
      textPartSchema,
      z.strictObject({
        type: z.literal("image_url"),
        /** The image. */
        image_url: z.strictObject({
          /** `data:` URL of the image. */
          url: z.string(),
          detail: hintSchema,
        }),
        ...marks,
      }),
      z.strictObject({
        type: z.literal("input_audio"),
        /** The recording. */
        input_audio: z.strictObject({
          data: z.string(),
          /** Format of the recording. */
          format: z.enum(["wav", "mp3"]),
        }),
        ...marks,
      }),
      z.strictObject({
        type: z.literal("file"),
        /** The file. */
        file: z.strictObject({
          file_data: z.string().optional(),
          file_id: z.string().optional(),
          filename: z.string().optional(),
        }),
        ...marks,
      }),
    ],
    { error: 'must be a part of type "text", "image_url", "input_audio" or "file"' },
  ),
);

const toolCallSchema = lazySchema(() =>
  z.object({
    id: z.string(),
    type: z.literal("function"),
    function: z.object({ name: z.string(), arguments: z.string() }),
  }),
);

/** Name of a participant or tool. */
const whoSays = { name: hintSchema, cache_control: hintSchema };

const chatMessageSchema = lazySchema(() =>
  z.discriminatedUnion(
    "role",
    [
      z.strictObject({ role: z.enum(["system", "developer"]), content: textContentSchema, ...whoSays }),
      z.strictObject({
        role: z.literal("user"),
        content: z.union([z.string(), z.array(userPartSchema)], { error: "must be a string, or a list of parts" }),
        ...whoSays,
      }),
      // Additional fields come from answers of any vendor, and are ignored.
      z.object({
        role: z.literal("assistant"),
        content: assistantContentSchema.nullish(),
        /** Refusal of the model, if any. */
        refusal: z.string().nullish(),
        /** As returned by DeepSeek; sent back to models that accept it. */
        reasoning_content: z.string().nullish(),
        tool_calls: z.array(toolCallSchema).nullish(),
      }),
      z.strictObject({
        role: z.literal("tool"),
        /** Id of the call. */
        tool_call_id: z.string(),
        content: textContentSchema,
        ...whoSays,
      }),
    ],
    { error: 'must be a message with the role "system", "developer", "user", "assistant" or "tool"' },
  ),
);
export type ChatMessage = z.infer<typeof chatMessageSchema>;

const jsonObjectSchema = lazySchema(() => z.record(z.string(), z.json()));
/** Name of a tool or schema: letters, digits, `_` and `-`. */
const toolNameSchema = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, _ and -");

const chatToolSchema = lazySchema(() =>
  z.strictObject({
    type: z.literal("function", { error: 'must be "function": no other tools are supported here' }),
    cache_control: hintSchema,
    /** The function. */
    function: z.strictObject({
      name: toolNameSchema,
      /** Purpose of the tool. */
      description: z.string().nullish(),
      /** JSON Schema. Defaults to no parameters. */
      parameters: jsonObjectSchema.nullish(),
      /** Accepted but not guaranteed: not every vendor enforces the schema. */
      strict: z.boolean().nullish(),
    }),
  }),
);

const toolChoiceSchema = lazySchema(() =>
  z.union(
    [
      z.enum(["none", "auto", "required"]),
      z.strictObject({
        type: z.literal("function"),
        /** Tool that the model must call. */
        function: z.strictObject({ name: z.string() }),
      }),
      z.strictObject({
        type: z.literal("allowed_tools"),
        /** Tools that the model may call. */
        allowed_tools: z.strictObject({
          /** Whether the model may or must call one. */
          mode: z.enum(["auto", "required"]),
          /** Subset of `tools`. */
          tools: z
            .array(z.strictObject({ type: z.literal("function"), function: z.strictObject({ name: z.string() }) }))
            .min(1),
        }),
      }),
    ],
    {
      error:
        'must be "none", "auto", "required", { "type": "function", "function": { "name" } } or { "type": "allowed_tools", "allowed_tools": { "mode", "tools" } }',
    },
  ),
);

const responseFormatSchema = lazySchema(() =>
  z.discriminatedUnion(
    "type",
    [
      z.strictObject({ type: z.literal("text") }),
      z.strictObject({ type: z.literal("json_object") }),
      z.strictObject({
        type: z.literal("json_schema"),
        /** JSON Schema of the reply. */
        json_schema: z.strictObject({
          name: toolNameSchema,
          description: hintSchema,
          /** The JSON Schema. */
          schema: jsonObjectSchema.nullish(),
          /** Whether the schema follows the vendor's rules for strict schemas. */
          strict: z.boolean().nullish(),
        }),
      }),
    ],
    { error: 'must be of type "text", "json_object" or "json_schema"' },
  ),
);

/** Rejects options whose result would silently be missing in the answer. */
function only<Value extends null | number | boolean>(
  value: Value,
  rule: string,
): z.ZodOptional<z.ZodNullable<z.ZodLiteral<Value>>> {
  return z.literal(value, { error: rule }).nullish();
}
const tokenCountSchema = z.int().positive().nullish();
/** Vendors accept seeds of up to 64 bits; this is the largest exact number below. */
const maxSeed = 9_223_372_036_854_774_784;

/** Unknown fields are vendor fields, such as `top_k`; see `ModelSettings.vendorFields`. */
export const chatCompletionRequestSchema = lazySchema(() =>
  z.looseObject({
    /** Messages so far, including system messages. Defaults to `prompt` only. */
    messages: z.array(chatMessageSchema).nullish(),
    /** Appended as the last user message. */
    prompt: z.string().regex(/\S/, "must have more than white space").nullish(),
    /** PROVIDER/MODEL; absent or "default": that of the profile, else of the host. */
    model: clientNameSchema.nullish(),
    /** A configured profile. */
    profile: clientNameSchema.nullish(),
    /** `append`: adds system messages after the base instead of replacing it. */
    systemMode: z.enum(["replace", "append"]).nullish(),
    /** Absolute folder for the base's variables. Defaults to the host's. */
    cwd: z.string().nullish(),
    timeout: callTimeoutSchema,
    /** `true`: streams the reply in chunks. */
    stream: z.boolean().nullish(),
    /** Options of a streamed reply. */
    stream_options: z
      .strictObject({
        /** `true`: the last chunk has the usage. */
        include_usage: z.boolean().nullish(),
        /** Accepted, but ignored. */
        include_obfuscation: z.boolean().nullish(),
      })
      .nullish(),
    /** Tools that the model may call; the client runs them. */
    tools: z.array(chatToolSchema).max(4_096).nullish(),
    tool_choice: toolChoiceSchema.nullish(),
    parallel_tool_calls: z.boolean().nullish(),
    /** Form of the reply. Defaults to text. */
    response_format: responseFormatSchema.nullish(),
    temperature: z.number().min(0).max(2).nullish(),
    top_p: z.number().min(0).max(1).nullish(),
    presence_penalty: z.number().min(-2).max(2).nullish(),
    frequency_penalty: z.number().min(-2).max(2).nullish(),
    seed: z.number().min(-maxSeed).max(maxSeed).refine(Number.isInteger, "must be a whole number").nullish(),
    /** Up to 4 texts that end the reply. */
    stop: z.union([z.string(), z.array(z.string()).max(4)], { error: "must be a string, or up to 4" }).nullish(),
    /** Older name of `max_completion_tokens`. */
    max_tokens: tokenCountSchema,
    /** Maximum number of tokens of the reply. */
    max_completion_tokens: tokenCountSchema,
    /** Reasoning effort. Defaults to the vendor's. */
    reasoning_effort: z.enum(["none", "minimal", "low", "medium", "high", "xhigh"]).nullish(),
    /** Calls with equal keys share a vendor's prompt cache like a conversation. */
    prompt_cache_key: z.string().nullish(),
    /** Number of replies; only 1 is supported. */
    n: only(1, "must be 1: a call returns one answer; call again for another"),
    /** Not supported: always `false`. */
    logprobs: only(false, "must be false: log probabilities are not supported here"),
    /** Not supported: always 0. */
    top_logprobs: only(0, "must be 0: log probabilities are not supported here"),
    /** Bias of tokens by id; rejected if the vendor does not support it. */
    logit_bias: z.record(z.string(), z.number().min(-100).max(100)).nullish(),
    /** Kinds of output; only text is supported. */
    modalities: z.array(z.literal("text", { error: 'must be "text": answers are text' })).nullish(),
    /** Not supported: replies are text. */
    audio: only(null, "must be omitted: only text output is supported"),
    /** Not supported: use a search tool. */
    web_search_options: only(null, "must be omitted: send a search tool in `tools` instead"),
    /** Not supported: use `tools`. */
    functions: z.array(z.unknown()).max(0, "must be empty or omitted: use `tools`").nullish(),
    /** Ignored: use `tool_choice`. */
    function_call: z
      .enum(["none", "auto"], { error: 'must be "none", "auto" or omitted: use `tool_choice`' })
      .nullish(),
    // Hints to OpenAI's own service that do not affect the answer.
    metadata: hintSchema,
    prediction: hintSchema,
    prompt_cache_options: hintSchema,
    prompt_cache_retention: hintSchema,
    safety_identifier: hintSchema,
    service_tier: hintSchema,
    store: hintSchema,
    user: hintSchema,
    verbosity: hintSchema,
  }),
);
export type ChatCompletionRequest = z.infer<typeof chatCompletionRequestSchema>;

const finishReasonSchema = z.enum(["stop", "length", "tool_calls", "content_filter"]);
export type ChatFinishReason = z.infer<typeof finishReasonSchema>;

/** Usage reported by the vendor; unreported values are absent. */
const chatUsageSchema = lazySchema(() =>
  z.object({
    prompt_tokens: z.int().exactOptional(),
    completion_tokens: z.int().exactOptional(),
    total_tokens: z.int().exactOptional(),
    prompt_tokens_details: z
      .object({ cached_tokens: z.int().exactOptional(), cache_write_tokens: z.int().exactOptional() })
      .exactOptional(),
    completion_tokens_details: z.object({ reasoning_tokens: z.int() }).exactOptional(),
  }),
);
export type ChatUsage = z.infer<typeof chatUsageSchema>;

const base = {
  /** `chatcmpl-` and the id of the call's record. */
  id: z.string(),
  /** Unix time in seconds. */
  created: z.int(),
  /** PROVIDER/MODEL that answers. */
  model: z.string(),
};

/** A reply of a model, in the format of OpenAI's chat completions. */
export const chatCompletionSchema = lazySchema(() =>
  z.object({
    ...base,
    object: z.literal("chat.completion"),
    /** The reply. */
    choices: z.array(
      z.object({
        index: z.literal(0),
        /** Message of the model. */
        message: z.object({
          role: z.literal("assistant"),
          /** Text of the reply; `null` if it only calls tools. */
          content: z.string().nullable(),
          refusal: z.null(),
          reasoning_content: z.string().exactOptional(),
          tool_calls: z.array(toolCallSchema).exactOptional(),
        }),
        logprobs: z.null(),
        finish_reason: finishReasonSchema,
      }),
    ),
    usage: chatUsageSchema.exactOptional(),
  }),
);
export type ChatCompletion = z.infer<typeof chatCompletionSchema>;

const toolCallDeltaSchema = lazySchema(() =>
  z.object({
    /** Index of the tool call in the reply, from 0. */
    index: z.int(),
    id: z.string().exactOptional(),
    type: z.literal("function").exactOptional(),
    function: z.object({
      name: z.string().exactOptional(),
      /** Addition to the arguments, which form a JSON string. */
      arguments: z.string(),
    }),
  }),
);
const chatDeltaSchema = lazySchema(() =>
  z.object({
    role: z.literal("assistant").exactOptional(),
    /** Addition to the text. */
    content: z.string().exactOptional(),
    reasoning_content: z.string().exactOptional(),
    tool_calls: z.array(toolCallDeltaSchema).exactOptional(),
  }),
);
export type ChatDelta = z.infer<typeof chatDeltaSchema>;

/** An event of a streamed completion; `[DONE]` follows the last one. */
export const chatCompletionChunkSchema = lazySchema(() =>
  z.object({
    ...base,
    object: z.literal("chat.completion.chunk"),
    /** Empty in the chunk with the usage. */
    choices: z.array(
      z.object({
        index: z.literal(0),
        /** Addition to the reply. */
        delta: chatDeltaSchema,
        logprobs: z.null(),
        finish_reason: finishReasonSchema.nullable(),
      }),
    ),
    /** With `stream_options.include_usage`: `null` until the end. */
    usage: chatUsageSchema.nullable().exactOptional(),
  }),
);
export type ChatCompletionChunk = z.infer<typeof chatCompletionChunkSchema>;

/** https://platform.openai.com/docs/api-reference/models */
export const chatModelSchema = lazySchema(() =>
  z.object({
    /** PROVIDER/MODEL. */
    id: z.string(),
    object: z.literal("model"),
    /** Unix time in seconds; 0 if unknown. */
    created: z.int(),
    /** Provider name in the configuration. */
    owned_by: z.string(),
  }),
);
export type ChatModel = z.infer<typeof chatModelSchema>;
export const chatModelsResponseSchema = lazySchema(() =>
  z.object({
    object: z.literal("list"),
    /** The models. */
    data: z.array(chatModelSchema),
  }),
);
