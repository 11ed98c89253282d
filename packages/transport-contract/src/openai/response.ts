import { callTimeoutSchema, clientNameSchema, lazySchema } from "@incipit/schema";
import * as z from "zod";

// Formats of OpenAI's responses: https://platform.openai.com/docs/api-reference/responses. Unknown nested fields
// are rejected, except in parts of earlier answers, which may contain any fields:
// docs/decisions/2026-11-27-fields-of-client-requests.md.

/** Accepted, but ignored. */
const hintSchema = z.unknown().optional();
const notHere = (rule: string): z.ZodOptional<z.ZodNullable<z.ZodLiteral<null>>> =>
  z.literal(null, { error: rule }).nullish();

/** Cache markers, which are ignored: the host sets its own. */
const markSchema = hintSchema;

export const responseInputPartSchema = lazySchema(() =>
  z.discriminatedUnion(
    "type",
    [
      z.strictObject({ type: z.literal("input_text"), text: z.string(), prompt_cache_breakpoint: markSchema }),
      z.object({ type: z.enum(["output_text", "text", "summary_text"]), text: z.string() }),
      z.object({
        type: z.literal("refusal"),
        /** Text of a refusal. */
        refusal: z.string(),
      }),
      z.strictObject({
        type: z.literal("input_image"),
        image_url: z.string().nullish(),
        file_id: z.string().nullish(),
        detail: hintSchema,
        prompt_cache_breakpoint: markSchema,
      }),
      z.strictObject({
        type: z.literal("input_file"),
        detail: hintSchema,
        prompt_cache_breakpoint: markSchema,
        file_data: z.string().nullish(),
        file_id: z.string().nullish(),
        /** Not supported: the host fetches no files for a call. */
        file_url: z.string().nullish(),
        filename: z.string().nullish(),
      }),
    ],
    { error: 'must be a part of type "input_text", "input_image", "input_file", "output_text" or "refusal"' },
  ),
);
export type ResponseInputPart = z.infer<typeof responseInputPartSchema>;

const contentSchema = lazySchema(() =>
  z.union([z.string(), z.array(responseInputPartSchema)], { error: "must be a string, or a list of parts" }),
);
export type ResponseInputContent = z.infer<typeof contentSchema>;

/** Metadata of an item that a client sends back; ignored. */
const ofItem = { id: hintSchema, status: hintSchema };
const askedMessage = {
  role: z.enum(["user", "system", "developer"]),
  content: contentSchema,
  ...ofItem,
  phase: hintSchema,
};
const saidMessage = { role: z.literal("assistant"), content: contentSchema };
const roleRule = 'must be a message with the role "user", "assistant", "system" or "developer"';

export const responseInputItemSchema = lazySchema(() =>
  z.discriminatedUnion(
    "type",
    [
      z.discriminatedUnion(
        "role",
        [
          z.strictObject({ type: z.literal("message"), ...askedMessage }),
          z.object({ type: z.literal("message"), ...saidMessage }),
        ],
        { error: roleRule },
      ),
      z.object({
        type: z.literal("function_call"),
        call_id: z.string(),
        name: z.string(),
        arguments: z.string(),
      }),
      z.strictObject({
        type: z.literal("function_call_output"),
        call_id: z.string(),
        /** Output of the tool: a text, or parts in order. */
        output: contentSchema,
        ...ofItem,
        name: hintSchema,
        namespace: hintSchema,
        /** Caller, which is always the model. */
        caller: z
          .strictObject({
            type: z.literal("direct", { error: 'must be "direct": no program of OpenAI\'s calls tools here' }),
          })
          .nullish(),
      }),
      z.object({
        type: z.literal("reasoning"),
        /** Reasoning of the model; sent back to models that accept it. */
        summary: z.array(responseInputPartSchema).nullish(),
      }),
      z.strictObject({
        type: z.literal("item_reference"),
        /** Id of an item of a stored response. */
        id: z.string(),
      }),
    ],
    {
      error:
        'must be an item of type "message", "function_call", "function_call_output", "reasoning" or "item_reference"',
    },
  ),
);

/** OpenAI accepts messages without `type`. */
const plainMessageSchema = lazySchema(() =>
  z.discriminatedUnion("role", [z.strictObject(askedMessage), z.object(saidMessage)], { error: roleRule }),
);
export const givenItemSchema = lazySchema(() => z.union([responseInputItemSchema, plainMessageSchema]));

export type ResponseInputItem = z.infer<typeof responseInputItemSchema>;

const functionTool = {
  type: z.literal("function"),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, _ and -"),
  /** Purpose of the tool. */
  description: z.string().nullish(),
  /** JSON Schema. Defaults to no parameters. */
  parameters: z.record(z.string(), z.json()).nullish(),
  strict: z.boolean().nullish(),
};
const functionToolSchema = lazySchema(() => z.object(functionTool));
const givenToolSchema = lazySchema(() =>
  z.strictObject({
    ...functionTool,
    /** Allowed callers; only the model (`direct`) is supported. */
    allowed_callers: z
      .array(z.literal("direct", { error: 'must be "direct" alone: no program of OpenAI\'s calls tools here' }))
      .nullish(),
    /** Not supported: calls wait for their output. */
    async: z.literal(false, { error: "must be false: a call waits for its output here" }).nullish(),
    defer_loading: hintSchema,
    output_schema: hintSchema,
  }),
);

const toolSchema = lazySchema(() =>
  z.discriminatedUnion(
    "type",
    [
      givenToolSchema,
      // Offered by some programs regardless of the model; not passed to models.
      z.object({
        /** Kind of tool; models only receive functions. */
        type: z.enum(["web_search", "web_search_preview", "namespace", "tool_search"]),
      }),
    ],
    { error: 'must be of type "function": tools that OpenAI runs are not had here' },
  ),
);

const toolChoiceSchema = lazySchema(() =>
  z.union(
    [
      z.enum(["none", "auto", "required"]),
      z.strictObject({
        type: z.literal("function"),
        /** Tool that the model must call. */
        name: z.string(),
      }),
    ],
    {
      error: 'must be "none", "auto", "required", or { "type": "function", "name" }',
    },
  ),
);

const formatSchema = lazySchema(() =>
  z.discriminatedUnion(
    "type",
    [
      z.strictObject({ type: z.literal("text") }),
      z.strictObject({ type: z.literal("json_object") }),
      z.strictObject({
        type: z.literal("json_schema"),
        /** Name of the schema. */
        name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, _ and -"),
        /** JSON Schema of the reply. */
        schema: z.record(z.string(), z.json()),
        strict: z.boolean().nullish(),
        /** Purpose of the reply. */
        description: z.string().nullish(),
      }),
    ],
    { error: 'must be of type "text", "json_object" or "json_schema"' },
  ),
);

export const responseRequestSchema = lazySchema(() =>
  z.strictObject({
    /** PROVIDER/MODEL; absent or "default": that of the profile, else of the host. */
    model: clientNameSchema.nullish(),
    /** Text of the user, or items in order. */
    input: z.union([z.string(), z.array(givenItemSchema)], {
      error: "must be a string, or a list of items",
    }),
    /** Replaces the host's prompt for this call. */
    instructions: z.string().nullish(),
    /** `true`: streams the response as server-sent events. */
    stream: z.boolean().nullish(),
    /** Tools that the model may call; the client runs them. */
    tools: z.array(toolSchema).nullish(),
    tool_choice: toolChoiceSchema.nullish(),
    parallel_tool_calls: z.boolean().nullish(),
    /** Form of the reply. */
    text: z
      .strictObject({
        /** Format of the reply. */
        format: formatSchema.nullish(),
        verbosity: hintSchema,
      })
      .nullish(),
    temperature: z.number().min(0).max(2).nullish(),
    top_p: z.number().min(0).max(1).nullish(),
    max_output_tokens: z.int().positive().nullish(),
    /** Reasoning of the model. */
    reasoning: z
      .strictObject({
        effort: z.enum(["none", "minimal", "low", "medium", "high", "xhigh"]).nullish(),
        summary: hintSchema,
        generate_summary: hintSchema,
        context: hintSchema,
        mode: hintSchema,
      })
      .nullish(),
    /** Calls with equal keys share a vendor's prompt cache like a conversation. */
    prompt_cache_key: z.string().nullish(),
    /** A stored response of the same token to continue. */
    previous_response_id: z.string().nullish(),
    /** `false`: the response cannot be retrieved or continued. */
    store: z.boolean().nullish(),
    /** A configured profile; an extension of OpenAI's API. */
    profile: clientNameSchema.nullish(),
    /** `append`: adds instructions after the base instead of replacing it; an extension of OpenAI's API. */
    systemMode: z.enum(["replace", "append"]).nullish(),
    /** Absolute folder for the base's variables. Defaults to the host's; an extension of OpenAI's API. */
    cwd: z.string().nullish(),
    timeout: callTimeoutSchema,
    /** `true`: returns immediately and continues without the client. */
    background: z.boolean().nullish(),
    /**
     * An OpenAI conversation of the same token: its items precede the input, and the response's items are appended.
     */
    conversation: z
      .union(
        [
          z.string(),
          z.object({
            /** Id of the conversation. */
            id: z.string(),
          }),
        ],
        { error: 'must be the id of a conversation, or { "id" }' },
      )
      .nullish(),
    /** Not supported: prompts stored at OpenAI are not available. */
    prompt: notHere("must be omitted: prompts stored at OpenAI are not supported"),
    /** Not supported: always 0. */
    top_logprobs: z.literal(0, { error: "must be 0: log probabilities are not supported here" }).nullish(),
    max_tool_calls: hintSchema,
    // Hints to OpenAI's own service that do not affect the answer.
    client_metadata: hintSchema,
    context_management: hintSchema,
    include: hintSchema,
    metadata: z.record(z.string(), z.string()).nullish(),
    prompt_cache_options: hintSchema,
    prompt_cache_retention: hintSchema,
    safety_identifier: hintSchema,
    service_tier: hintSchema,
    stream_options: hintSchema,
    truncation: hintSchema,
    user: hintSchema,
  }),
);
export type ResponseRequest = z.infer<typeof responseRequestSchema>;

const itemStatusSchema = z.enum(["in_progress", "completed", "incomplete"]);
const statusSchema = z.enum(["queued", "in_progress", "completed", "incomplete", "failed", "cancelled"]);

export const outputItemSchema = lazySchema(() =>
  z.discriminatedUnion("type", [
    z.object({
      type: z.literal("message"),
      id: z.string(),
      status: itemStatusSchema,
      role: z.literal("assistant"),
      /** Parts of the message, in order. */
      content: z.array(
        z.object({
          type: z.literal("output_text"),
          text: z.string(),
          annotations: z.array(z.never()),
          logprobs: z.array(z.never()),
        }),
      ),
    }),
    z.object({
      type: z.literal("function_call"),
      id: z.string(),
      status: itemStatusSchema,
      call_id: z.string(),
      name: z.string(),
      arguments: z.string(),
    }),
    z.object({
      type: z.literal("reasoning"),
      id: z.string(),
      /** Reasoning of the model, as far as shown. */
      summary: z.array(z.object({ type: z.literal("summary_text"), text: z.string() })),
    }),
  ]),
);
export type ResponseOutputItem = z.infer<typeof outputItemSchema>;

const usageSchema = lazySchema(() =>
  z.object({
    input_tokens: z.int(),
    input_tokens_details: z.object({ cached_tokens: z.int(), cache_write_tokens: z.int() }),
    output_tokens: z.int(),
    output_tokens_details: z.object({ reasoning_tokens: z.int() }),
    total_tokens: z.int(),
  }),
);
export type ResponseUsage = z.infer<typeof usageSchema>;

/** A reply of a model, in the format of OpenAI's responses. */
export const responseSchema = lazySchema(() =>
  z.object({
    /** `resp_` and the id of the call's record. */
    id: z.string(),
    object: z.literal("response"),
    /** Unix time in seconds. */
    created_at: z.int(),
    /** Its OpenAI conversation, if any. */
    conversation: z.object({ id: z.string() }).nullable().default(null),
    /** Status of the response. */
    status: statusSchema,
    /** `false` also for responses stored by older versions. */
    background: z.boolean().default(false),
    /** Why the response failed; `null` if it did not. */
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    /** Why the response is truncated; `null` if it is not. */
    incomplete_details: z
      .object({
        /** Cause of the truncation. */
        reason: z.enum(["max_output_tokens", "content_filter"]),
      })
      .nullable(),
    /** System messages of this response; `null` if those of the profile or host. */
    instructions: z.string().nullable(),
    max_output_tokens: z.int().nullable(),
    metadata: z.record(z.string(), z.string()),
    /** PROVIDER/MODEL that answers. */
    model: z.string(),
    /** Messages, reasoning and calls of the model, in order. */
    output: z.array(outputItemSchema),
    parallel_tool_calls: z.boolean(),
    /** Stored response that this one continues; `null` if none. */
    previous_response_id: z.string().nullable(),
    /** Reasoning of the model. */
    reasoning: z.object({ effort: z.string().nullable(), /** Always `null`. */ summary: z.null() }),
    /** Whether the response can be retrieved and continued. */
    store: z.boolean(),
    temperature: z.number().nullable(),
    /** Form of the reply. */
    text: z.object({
      /** Format of the reply. */
      format: z.looseObject({
        /** Plain text, JSON, or JSON with a schema. */
        type: z.string(),
      }),
    }),
    tool_choice: toolChoiceSchema,
    /** Tools sent to the model. */
    tools: z.array(functionToolSchema),
    top_p: z.number().nullable(),
    truncation: z.literal("disabled"),
    /** `null` before the end or if not reported. */
    usage: usageSchema.nullable(),
  }),
);
export type ResponseObject = z.infer<typeof responseSchema>;

const outputPartSchema = z.object({
  type: z.enum(["output_text", "summary_text"]),
  text: z.string(),
  annotations: z.array(z.never()).exactOptional(),
  logprobs: z.array(z.never()).exactOptional(),
});

/**
 * An event of a streamed response; the last is `response.completed`, `response.incomplete` or `response.failed`,
 * also for a cancelled one.
 */
export const responseStreamEventSchema = lazySchema(() =>
  z.object({
    /** Type of the event, as defined by OpenAI. */
    type: z.string(),
    /** Number of the event, from 0. */
    sequence_number: z.int(),
    response: responseSchema.exactOptional(),
    /** Index of the item in the response, from 0. */
    output_index: z.int().exactOptional(),
    /** State of the item. */
    item: outputItemSchema.exactOptional(),
    /** Id of the item. */
    item_id: z.string().exactOptional(),
    /** Always 0: a message has one text part. */
    content_index: z.int().exactOptional(),
    /** Always 0: the reasoning has one part. */
    summary_index: z.int().exactOptional(),
    /** State of the part. */
    part: outputPartSchema.exactOptional(),
    /** Addition to the text or the arguments. */
    delta: z.string().exactOptional(),
    /** Complete text. */
    text: z.string().exactOptional(),
    name: z.string().exactOptional(),
    /** Complete arguments as a JSON string. */
    arguments: z.string().exactOptional(),
    logprobs: z.array(z.never()).exactOptional(),
  }),
);
export type ResponseStreamEvent = z.infer<typeof responseStreamEventSchema>;

export const responseDeletedSchema = lazySchema(() =>
  z.object({ id: z.string(), object: z.literal("response"), deleted: z.literal(true) }),
);

export const responseInputListSchema = lazySchema(() =>
  z.object({
    object: z.literal("list"),
    /** As sent, with ids. */
    data: z.array(z.looseObject({ id: z.string(), type: z.string() })),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.literal(false),
  }),
);
