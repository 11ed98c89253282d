import * as z from "zod";
import { allowedToolsSchema } from "../conversation/allowed-tools.ts";
import { turnSettingsSchema } from "../model/turn-settings.ts";
import { maxTokensPerDaySchema, maxUsdPerDaySchema } from "../records/spent.ts";
import { lazySchema } from "../values/lazy-schema.ts";
import { nameListSchema } from "../values/name-list.ts";

const maxDescriptionLength = 16_384;
const maxTextLength = 1_048_576;

const modelRule = 'must be PROVIDER/MODEL, such as "offline/echo"';
/** Tools of a profile's conversations, in the format of `allowedTools`. */
const profileToolsSchema = lazySchema(() =>
  z.strictObject({
    /** Allowed tools; `null`: all. */
    allowed: allowedToolsSchema.nullable().default(null),
    /** Tools that require approval for each call, regardless of their own setting. */
    asked: allowedToolsSchema.default([]),
    /** Denied tools, even if allowed. */
    denied: allowedToolsSchema.default([]),
  }),
);
export type ProfileTools = z.output<typeof profileToolsSchema>;

/** Daily budget of autonomous turns; `null`: no limit. */
export const profileBudgetSchema = lazySchema(() =>
  z.strictObject({
    /** US dollars; `null`: no limit. */
    maxUsdPerDay: maxUsdPerDaySchema.nullable().default(null),
    /** Tokens; `null`: no limit. */
    maxTokensPerDay: maxTokensPerDaySchema.nullable().default(null),
  }),
);
export type ProfileBudget = z.output<typeof profileBudgetSchema>;

/** All fields of a profile except its name. */
export const profileFieldsSchema = lazySchema(() =>
  z.object({
    /** When to use the agent, for users and for models that select one. */
    description: z.string().max(maxDescriptionLength).nullable(),
    /** PROVIDER/MODEL; `null`: the host's default. */
    model: z
      .string(modelRule)
      .regex(/^[^/\s]+\/\S+$/, modelRule)
      .max(1_000)
      .nullable(),
    /** Template that replaces the host's. `""`: no base text. `null`: the host's. */
    systemPrompt: z.string().max(maxTextLength).nullable(),
    /** Template appended to the base text. */
    append: z.string().max(maxTextLength).nullable(),
    tools: profileToolsSchema,
    /** MCP servers available to its conversations, by name. */
    mcpServers: nameListSchema,
    /** Skills available to its conversations, by name. */
    skills: nameListSchema,
    settings: turnSettingsSchema,
    budget: profileBudgetSchema,
  }),
);
