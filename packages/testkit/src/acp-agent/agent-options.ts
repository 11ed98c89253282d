import * as z from "zod";

/** What a scripted agent is like; what it does, it is told in each prompt. */
export const agentOptionsSchema = z.strictObject({
  /** What it calls itself. */
  name: z.string().default("scripted-agent"),
  protocolVersion: z.int().default(1),
  /** How it takes a client's system prompt: not at all when absent. */
  systemPrompt: z.enum(["append", "override"]).exactOptional(),
  /** What it says of a client's system prompt in place of that, whatever it is. */
  claimedSystemPrompt: z.unknown().optional(),
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
   * session, `garbage` prints lines that are no messages before it answers, `floods` prints nothing but such lines and never
   * ends, `half` ends in the middle of a message, `stranger` answers with what is no answer.
   */
  start: z
    .enum(["answers", "silent", "exits", "login", "garbage", "floods", "half", "stranger"])
    .default("answers"),
});

export type AgentOptions = z.input<typeof agentOptionsSchema>;
