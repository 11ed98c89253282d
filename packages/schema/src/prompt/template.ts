import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/** Maximum size in UTF-8 bytes. */
export const maxTemplateBytes = 1_048_576;

/** Used when no template is set, and while no prompt builder is loaded. */
export const DEFAULT_TEMPLATE = `You are a helpful coding assistant.
[if file:AGENTS.md]
[file:AGENTS.md]
[endif]
The current working directory is [prompt:cwd].`;

/**
 * Used instead if the working folder has AGENTS.md files in several folders, or only in another one: includes all
 * of them.
 */
export const REPOSITORY_TEMPLATE: string = DEFAULT_TEMPLATE.replaceAll("file:AGENTS.md", "rules:agents");

const templateSourceSchema = z.enum(["stored", "config", "default"]);
export type TemplateSource = z.infer<typeof templateSourceSchema>;

/** The template in force, with its origin. */
export const systemPromptTemplateResponseSchema = lazySchema(() =>
  z.object({
    /** The template. */
    template: z.string(),
    /** Where the template comes from. */
    source: templateSourceSchema,
  }),
);
export type SystemPromptTemplateResponse = z.infer<typeof systemPromptTemplateResponseSchema>;
