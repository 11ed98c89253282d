import * as z from "zod";

/** What a scripted agent is like; what it does, it is told in each prompt. */
export const agentOptionsSchema = z.strictObject({
  /** What it calls itself. */
  name: z.string().default("scripted-agent"),
  protocolVersion: z.int().default(1),
  /** How it takes a client's system prompt: not at all when absent. */
  systemPrompt: z.enum(["append", "override"]).exactOptional(),
  canLoad: z.boolean().default(false),
  canResume: z.boolean().default(false),
  /** It says that it can take up sessions, and has lost them. */
  isForgetful: z.boolean().default(false),
  takesImages: z.boolean().default(false),
  takesResources: z.boolean().default(false),
  /** Models that its sessions offer; the first is chosen. */
  models: z.array(z.string()).default([]),
  /**
   * What it does when it is started: `silent` never answers, `exits` says why on stderr and ends with 3, `login` begins no
   * session, `garbage` prints lines that are no messages before it answers.
   */
  start: z.enum(["answers", "silent", "exits", "login", "garbage"]).default("answers"),
});

export type AgentOptions = z.input<typeof agentOptionsSchema>;
