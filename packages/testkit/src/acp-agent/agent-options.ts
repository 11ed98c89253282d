import * as z from "zod";

/** Actions come with each prompt. */
export const agentOptionsSchema = z.strictObject({
  name: z.string().default("scripted-agent"),
  protocolVersion: z.int().default(1),
  /** Absent: not at all. */
  systemPrompt: z.enum(["append", "override"]).exactOptional(),
  /** Raw claim about system prompts, instead of `systemPrompt`. */
  claimedSystemPrompt: z.unknown().optional(),
  canLoad: z.boolean().default(false),
  canResume: z.boolean().default(false),
  /** Claims to restore sessions, but has lost them. */
  isForgetful: z.boolean().default(false),
  takesImages: z.boolean().default(false),
  takesResources: z.boolean().default(false),
  /** The first is selected. */
  models: z.array(z.string()).default([]),
  /**
   * `silent` never answers, `exits` prints a reason to stderr and exits with 3, `login` refuses sessions, `garbage`
   * prints invalid lines before it answers, `floods` prints only such lines forever, `half` exits within a message,
   * `stranger` sends invalid answers.
   */
  start: z
    .enum(["answers", "silent", "exits", "login", "garbage", "floods", "half", "stranger"])
    .default("answers"),
});

export type AgentOptions = z.input<typeof agentOptionsSchema>;
