import * as z from "zod";
import { givenNameSchema } from "./given-name.ts";
import { explainSchema } from "./explain.ts";
import { promptReasonSchema } from "./turn-event.ts";
import { conversationIdSchema, sha256Schema, timestampSchema } from "./ids.ts";

/** UTF-8 bytes. */
export const maxTemplateBytes = 1_048_576;

/** Used when nobody set another one; also what `GET /system-prompt` answers while no prompt builder is loaded. */
export const DEFAULT_TEMPLATE = `You are a helpful coding assistant.
[if file:AGENTS.md]
[file:AGENTS.md]
[endif]
The current working directory is [prompt:cwd].`;

export const templateSourceSchema = z.enum(["stored", "config", "default"]);
export type TemplateSource = z.infer<typeof templateSourceSchema>;

export const systemPromptTemplateResponseSchema = z.object({ template: z.string(), source: templateSourceSchema });
export type SystemPromptTemplateResponse = z.infer<typeof systemPromptTemplateResponseSchema>;

export const setSystemPromptTemplateRequestSchema = z.strictObject({ template: z.string() });
export type SetSystemPromptTemplateRequest = z.infer<typeof setSystemPromptTemplateRequestSchema>;
export const setSystemPromptTemplateResponseSchema = z.object({ template: z.string() });

export const systemPromptVariableSchema = z.object({
  type: z.string(),
  name: z.string(),
  description: z.string(),
  /** Any name is a variable, such as any path for `file`. */
  dynamic: z.boolean().optional(),
});
export type SystemPromptVariable = z.infer<typeof systemPromptVariableSchema>;
export const systemPromptVariablesResponseSchema = z.object({ variables: z.array(systemPromptVariableSchema) });

/** What the catalogue holds before any extension adds to it. */
export const staticVariables: readonly SystemPromptVariable[] = [
  { type: "system", name: "time", description: "Current time (ISO 8601)" },
  { type: "system", name: "date", description: "Current date (YYYY-MM-DD)" },
  { type: "system", name: "os", description: "Operating system" },
  { type: "system", name: "hostname", description: "Machine hostname" },
  { type: "prompt", name: "cwd", description: "Working directory of the conversation" },
  { type: "prompt", name: "model", description: "Model of the conversation (PROVIDER/MODEL)" },
  { type: "prompt", name: "conversation_id", description: "Conversation id" },
  { type: "git", name: "branch", description: "Current git branch" },
  { type: "git", name: "status", description: "Short git status" },
  {
    type: "file",
    name: "<path>",
    description: "File contents (relative to the working directory, or absolute)",
    dynamic: true,
  },
];

/** Sent as they are: they are no templates. */
export const systemTextsSchema = z.union([z.string(), z.array(z.string()).max(1_000)], {
  error: "must be a string, or a list of up to 1,000 strings",
});
/** `append`: behind the base instead of in its place. */
export const systemModeSchema = z.enum(["replace", "append"]);

export const previewSystemPromptRequestSchema = z.strictObject({
  template: z.string().optional(),
  cwd: z.string().optional(),
  model: givenNameSchema.optional(),
  profile: givenNameSchema.optional(),
  conversationId: conversationIdSchema.optional(),
  /** System texts of the call. */
  system: systemTextsSchema.optional(),
  systemMode: systemModeSchema.optional(),
});
export type PreviewSystemPromptRequest = z.infer<typeof previewSystemPromptRequestSchema>;
export const previewSystemPromptResponseSchema = z.object({
  systemPrompt: z.string(),
  /** The same as the list that is sent: one system message each where the vendor takes several. */
  systemTexts: z.array(z.string()),
  explain: explainSchema,
});
export type PreviewSystemPromptResponse = z.infer<typeof previewSystemPromptResponseSchema>;

export const conversationSystemPromptResponseSchema = z.object({
  /** `null`: never constructed. */
  systemPrompt: z.string().nullable(),
  sha256: sha256Schema.nullable(),
  reason: promptReasonSchema.nullable(),
  constructedAt: timestampSchema.nullable(),
  templateVersion: z.int().nullable(),
  /** Who asked for it, and why; only of a rebuild. */
  by: z.string().nullable(),
  note: z.string().nullable(),
  /** It came with an export: nobody here constructed it, and what is told of how it came about is its sender's. */
  isImported: z.literal(true).exactOptional(),
});
export type ConversationSystemPromptResponse = z.infer<typeof conversationSystemPromptResponseSchema>;
