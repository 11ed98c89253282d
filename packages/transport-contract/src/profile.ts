import * as z from "zod";

/** A named agent of the configuration. */
const profileSchema = z.object({
  name: z.string(),
  /** PROVIDER/MODEL; `null`: the host's default. */
  model: z.string().nullable(),
  /** Whether it has a system prompt of its own; an empty one counts. */
  hasSystemPrompt: z.boolean(),
  /** What keeps its model from being used, such as a provider that is not configured; `null`: nothing. */
  problem: z.string().nullable(),
});
export const profilesResponseSchema = z.object({ profiles: z.array(profileSchema) });
