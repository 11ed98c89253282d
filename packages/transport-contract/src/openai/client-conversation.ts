import { lazySchema } from "@incipit/schema";
import * as z from "zod";
import { givenItemSchema, outputItemSchema, responseInputPartSchema } from "./response.ts";

// OpenAI's conversations, independent of the host's own:
// https://platform.openai.com/docs/api-reference/conversations

const maxPairs = 16;
const maxKeyLength = 64;
const maxValueLength = 512;
/** Limit of items per request. */
const maxAdded = 20;

const metadataSchema = lazySchema(() =>
  z
    .record(z.string().max(maxKeyLength), z.string().max(maxValueLength))
    .refine((pairs) => Object.keys(pairs).length <= maxPairs, { error: `must have at most ${maxPairs} pairs` }),
);

const addedItemsSchema = lazySchema(() =>
  z
    .array(givenItemSchema)
    .max(maxAdded, { error: `must have at most ${maxAdded} items: add the others behind them` }),
);

export const createClientConversationSchema = lazySchema(() =>
  z.strictObject({
    /** Initial items. */
    items: addedItemsSchema.nullish(),
    metadata: metadataSchema.nullish(),
  }),
);

export const updateClientConversationSchema = lazySchema(() =>
  z.strictObject({
    /** Replaces the metadata. */
    metadata: metadataSchema.nullable(),
  }),
);

export const addClientItemsSchema = lazySchema(() =>
  z.strictObject({
    /** Items to add, in order; at most 20. */
    items: addedItemsSchema.refine((items) => items.length > 0, { error: "must have an item" }),
  }),
);

/** A conversation in OpenAI's format. */
export const clientConversationSchema = lazySchema(() =>
  z.object({
    id: z.string(),
    object: z.literal("conversation"),
    /** Unix time in seconds. */
    created_at: z.int(),
    metadata: z.record(z.string(), z.string()),
  }),
);
export type ClientConversation = z.infer<typeof clientConversationSchema>;

export const clientConversationDeletedSchema = lazySchema(() =>
  z.object({ id: z.string(), object: z.literal("conversation.deleted"), deleted: z.literal(true) }),
);

const statusSchema = z.literal("completed");

/** Items created by clients, as returned. */
const givenSchema = lazySchema(() =>
  z.discriminatedUnion("type", [
    z.object({
      type: z.literal("message"),
      id: z.string(),
      status: statusSchema,
      role: z.enum(["user", "assistant", "system", "developer"]),
      /** Text, or parts in order. */
      content: z.array(responseInputPartSchema),
    }),
    z.object({
      type: z.literal("function_call"),
      id: z.string(),
      status: statusSchema,
      call_id: z.string(),
      name: z.string(),
      arguments: z.string(),
    }),
    z.object({
      type: z.literal("function_call_output"),
      id: z.string(),
      status: statusSchema,
      call_id: z.string(),
      /** Output of the tool: a text, or parts in order. */
      output: z.union([z.string(), z.array(responseInputPartSchema)]),
    }),
    z.object({
      type: z.literal("reasoning"),
      id: z.string(),
      /** Reasoning of the model; sent back to models that accept it. */
      summary: z.array(responseInputPartSchema),
    }),
  ]),
);

/** Output items first: they have more fields. */
export const clientItemSchema = lazySchema(() => z.union([outputItemSchema, givenSchema]));
export type ClientItem = z.infer<typeof clientItemSchema>;

/** A page of items, in OpenAI's format. */
export const clientItemListSchema = lazySchema(() =>
  z.object({
    object: z.literal("list"),
    /** Items in the requested order. */
    data: z.array(clientItemSchema),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
  }),
);

export const clientItemsQuerySchema = lazySchema(() =>
  z.object({
    limit: z.coerce.number<number | string>().int().min(1).max(100).default(20),
    /** Sort order. */
    order: z.enum(["asc", "desc"]).default("desc"),
    /** `last_id` of the previous page. Defaults to the first page. */
    after: z.string().optional(),
  }),
);
