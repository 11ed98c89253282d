import * as z from "zod";

/**
 * Permissions of a token; no scope implies another.
 *
 * - `read`: view conversations, prompts, models and extensions; no changes.
 * - `converse`: create, continue, change and delete conversations, answer approvals, call models.
 * - `prompt`: change prompts, and preview any template.
 * - `records`: view the exact requests to models and their costs, and export conversations.
 * - `admin`: view the configuration, add and swap extensions, start MCP servers, create and revoke tokens and
 *   schedules (which run models autonomously), authorize users on channels, and send messages to them.
 */
export const tokenScopeSchema = z.enum(["read", "converse", "prompt", "records", "admin"]);
export type TokenScope = z.infer<typeof tokenScopeSchema>;
