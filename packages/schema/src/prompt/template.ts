import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/** The longest template, in UTF-8 bytes. */
export const maxTemplateBytes = 1_048_576;

/** The template that is in force when nobody set another one, and while no prompt builder is loaded. */
export const DEFAULT_TEMPLATE = `You are a helpful coding assistant.
[if file:AGENTS.md]
[file:AGENTS.md]
[endif]
The current working directory is [prompt:cwd].`;

/** Stands in its place where AGENTS.md of several folders, or of another one, belong to the working folder: it tells all of them. */
export const REPOSITORY_TEMPLATE: string = DEFAULT_TEMPLATE.replaceAll("file:AGENTS.md", "rules:agents");

export const templateSourceSchema = z.enum(["stored", "config", "default"]);
export type TemplateSource = z.infer<typeof templateSourceSchema>;

/** The template in force, and where it came from. */
export const systemPromptTemplateResponseSchema = lazySchema(() =>
  z.object({ template: z.string(), source: templateSourceSchema }),
);
export type SystemPromptTemplateResponse = z.infer<typeof systemPromptTemplateResponseSchema>;
