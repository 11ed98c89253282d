import { plainObject } from "@incipit/common";
import * as z from "zod";

function capability() {
  return z.looseObject({}).nullish().catch(null);
}

const versionSchema = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d{1,4}$/)
    .transform(Number),
]);

/** Adds version 1 to an answer that states capabilities, but no valid version. */
function withVersion(answer: unknown): unknown {
  const { agentCapabilities, protocolVersion } = plainObject(answer) ?? {};
  const isVersioned = versionSchema.safeParse(protocolVersion).success;
  if (isVersioned || plainObject(agentCapabilities) === undefined) return answer;
  return { ...plainObject(answer), protocolVersion: 1 };
}

function flag() {
  return z.boolean().catch(false).default(false);
}

const authMethodSchema = z.object({ id: z.string(), name: z.string().catch("") });

const capabilitiesSchema = z.object({
  loadSession: flag(),
  promptCapabilities: z
    .object({ image: flag(), audio: flag(), embeddedContext: flag() })
    .catch({ image: false, audio: false, embeddedContext: false })
    .default({ image: false, audio: false, embeddedContext: false }),
  sessionCapabilities: z
    .object({
      resume: capability(),
      systemPrompt: z
        .object({ mode: z.object({ override: capability() }).nullish().catch(null) })
        .nullish()
        .catch(null),
    })
    .catch({ resume: null, systemPrompt: null })
    .default({ resume: null, systemPrompt: null }),
});

export const greetingSchema = z.preprocess(
  withVersion,
  z.object({
    protocolVersion: versionSchema,
    agentInfo: z
      .object({ name: z.string(), version: z.string().catch("") })
      .nullish()
      .catch(null),
    agentCapabilities: capabilitiesSchema.catch(() => capabilitiesSchema.parse({})).prefault({}),
    authMethods: z
      .array(z.unknown())
      .catch([])
      .default([])
      .transform((methods) => methods.flatMap((method) => authMethodSchema.safeParse(method).data ?? [])),
  }),
);
export type Greeting = z.output<typeof greetingSchema>;

const valueSchema = z.object({ value: z.string() });
const optionSchema = z.object({
  id: z.string(),
  category: z.string().nullish().catch(null),
  type: z.string().optional().catch(undefined),
  currentValue: z.unknown().optional(),
  options: z
    .array(z.union([valueSchema, z.object({ options: z.array(valueSchema) })]))
    .catch([])
    .default([]),
});
export type SessionOption = z.output<typeof optionSchema>;

const optionsSchema = z
  .array(z.unknown())
  .nullish()
  .catch(null)
  .transform((options) => (options ?? []).flatMap((option) => optionSchema.safeParse(option).data ?? []));

/** Accepts an id as text or, as some agents send it, as a number. */
const idSchema = z.union([z.string().min(1).max(1_000), z.number().transform(String)]);

/** Answer to creating, loading or resuming a session. Only creating returns an id. */
export const sessionSchema = z.object({
  sessionId: idSchema.optional().catch(undefined),
  configOptions: optionsSchema,
});

export const optionsAnswerSchema = z.object({ configOptions: optionsSchema });

const count = z.int().nonnegative().nullish().catch(null);

export const promptAnswerSchema = z.object({
  stopReason: z.string().nullish().catch(null),
  usage: z
    .object({
      totalTokens: count,
      inputTokens: count,
      outputTokens: count,
      thoughtTokens: count,
      cachedReadTokens: count,
      cachedWriteTokens: count,
    })
    .nullish()
    .catch(null),
});
export type PromptAnswer = z.output<typeof promptAnswerSchema>;
