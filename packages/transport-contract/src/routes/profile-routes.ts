import { lazySchema, profileProblemSchema, profileSourceSchema, shadowedProfileSchema } from "@incipit/schema";
import * as z from "zod";
import type { Route } from "./route.ts";

/** A named agent. */
export const profileSchema = lazySchema(() =>
  z.object({
    name: z.string(),
    /** When to take it; `null`: it does not say. */
    description: z.string().nullable(),
    /** PROVIDER/MODEL; `null`: the host's default. */
    model: z.string().nullable(),
    /** Whether it has a system prompt of its own; an empty one counts. */
    hasSystemPrompt: z.boolean(),
    /** What keeps its model from being used, such as a provider that is not configured; `null`: nothing. */
    problem: z.string().nullable(),
    source: profileSourceSchema,
    /** Others of its name, which do not count, the nearest first. */
    shadowed: z.array(shadowedProfileSchema),
    /** What is wrong in it without keeping it from being used, a sentence each. */
    warnings: z.array(z.string()),
  }),
);
export type Profile = z.infer<typeof profileSchema>;

const profilesQuerySchema = lazySchema(() =>
  z.object({
    /** The working folder; absolute. Absent: the host's. */
    cwd: z.string().optional(),
  }),
);
const profilesResponseSchema = lazySchema(() =>
  z.object({
    profiles: z.array(profileSchema),
    /** What is wrong with the files in which agents are looked for. */
    problems: z.array(profileProblemSchema),
  }),
);

/** The routes about named agents. */
export const profileRoutes = {
  listProfiles: {
    method: "GET",
    path: "/profiles",
    access: "read",
    summary: "The named agents of a working folder: of its files, the user's and the configuration",
    status: 200,
    query: profilesQuerySchema,
    response: profilesResponseSchema,
  },
} as const satisfies Record<string, Route>;
