import * as z from "zod";

/**
 * What a token lets whoever holds it do; none of them brings another one along.
 *
 * - `read`: see conversations as they come, prompts, models and extensions; change nothing.
 * - `converse`: begin, continue, change and delete conversations, answer approvals, call models.
 * - `prompt`: change what models are told, and see what any template becomes.
 * - `records`: see what exactly was sent to models, what that cost, and take conversations out.
 * - `admin`: see how the host is configured, bring in and swap extensions, start tool servers, make and revoke tokens, and
 *   schedules, by which models run when nobody asks, and say who may talk on channels, and write to them.
 */
export const tokenScopeSchema = z.enum(["read", "converse", "prompt", "records", "admin"]);
export type TokenScope = z.infer<typeof tokenScopeSchema>;
