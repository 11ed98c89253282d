import * as z from "zod";
import { allowedToolsSchema } from "../conversation/allowed-tools.ts";
import { turnSettingsSchema } from "../model/turn-settings.ts";
import { maxTokensPerDaySchema, maxUsdPerDaySchema } from "../records/spent.ts";
import { lazySchema } from "../values/lazy-schema.ts";
import { nameListSchema } from "../values/name-list.ts";

const maxDescriptionLength = 16_384;
const maxTextLength = 1_048_576;

const modelRule = 'must be PROVIDER/MODEL, such as "offline/echo"';
/** Which tools the conversations of a profile have, each as `allowedTools` of a conversation has them. */
export const profileToolsSchema = lazySchema(() =>
  z.strictObject({
    /** `null`: all of them. */
    allowed: allowedToolsSchema.nullable().default(null),
    /** A person is asked before each call, whatever the tool itself says. */
    asked: allowedToolsSchema.default([]),
    /** Its conversations do not have them, also where `allowed` names them. */
    denied: allowedToolsSchema.default([]),
  }),
);
export type ProfileTools = z.output<typeof profileToolsSchema>;

/** What its turns may cost on one day that no person has asked for; `null`: no bound of its own. */
export const profileBudgetSchema = lazySchema(() =>
  z.strictObject({
    maxUsdPerDay: maxUsdPerDaySchema.nullable().default(null),
    maxTokensPerDay: maxTokensPerDaySchema.nullable().default(null),
  }),
);
export type ProfileBudget = z.output<typeof profileBudgetSchema>;

/** All that a profile can say beside its name. */
export const profileFieldsSchema = lazySchema(() =>
  z.object({
    /** When to take it, for people and for models that choose. */
    description: z.string().max(maxDescriptionLength).nullable(),
    /** PROVIDER/MODEL; `null`: the host's default. */
    model: z
      .string(modelRule)
      .regex(/^[^/\s]+\/\S+$/, modelRule)
      .max(1_000)
      .nullable(),
    /** A template that stands in the place of the host's own; `""`: no base text. `null`: the host's own. */
    systemPrompt: z.string().max(maxTextLength).nullable(),
    /** A template behind the base text; `null`: none. */
    append: z.string().max(maxTextLength).nullable(),
    tools: profileToolsSchema,
    /** The servers of tools whose tools its conversations have, by their names. */
    mcpServers: nameListSchema,
    /** The skills that its conversations are told of and can open, by their names. */
    skills: nameListSchema,
    settings: turnSettingsSchema,
    budget: profileBudgetSchema,
  }),
);
export type ProfileFields = z.output<typeof profileFieldsSchema>;

/** What is said anew of a profile; what is absent stays as it is, and `null` takes it away. */
export const profileChangesSchema = lazySchema(() => {
  const { description, model, systemPrompt, append, mcpServers, skills } = profileFieldsSchema.shape;
  return z.strictObject({
    description: description.optional(),
    model: model.optional(),
    systemPrompt: systemPrompt.optional(),
    append: append.optional(),
    tools: profileToolsSchema.nullable().optional(),
    mcpServers: mcpServers.nullable().optional(),
    skills: skills.nullable().optional(),
    settings: turnSettingsSchema.nullable().optional(),
    budget: profileBudgetSchema.nullable().optional(),
  });
});
export type ProfileChanges = z.output<typeof profileChangesSchema>;
