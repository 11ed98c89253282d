import {
  lazySchema,
  profileFieldsSchema,
  profileProblemSchema,
  profileSourceSchema,
  shadowedProfileSchema,
} from "@incipit/schema";
import * as z from "zod";
import { deletedResponseSchema } from "./deleted-response.ts";
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

const profileParamsSchema = lazySchema(() => z.object({ name: z.string() }));

/** A named agent with all that it says. */
export const writtenProfileSchema = lazySchema(() => {
  const { mcpServers, skills } = profileFieldsSchema.shape;
  return profileSchema.extend({
    ...profileFieldsSchema.shape,
    /** `null`: all of them. */
    mcpServers: mcpServers.nullable(),
    skills: skills.nullable(),
  });
});

export const writtenProfileResponseSchema = lazySchema(() =>
  z.object({
    profile: writtenProfileSchema,
    /** As its file has it; of a file with several, its own part. `null`: it is one of the configuration. */
    text: z.string().nullable(),
    /** For `If-Match`; `null`: it has no text. */
    etag: z.string().nullable(),
  }),
);
export type WrittenProfileResponse = z.infer<typeof writtenProfileResponseSchema>;

const putProfileRequestSchema = lazySchema(() =>
  z.strictObject({
    /** All that its file is to have of it: keys and prompt. */
    text: z.string(),
    /** The working folder; absolute. Absent: the host's. */
    cwd: z.string().optional(),
    /** Whether a new one is the user's, for all folders; absent: the working folder's. */
    user: z.boolean().optional(),
  }),
);

/** RFC 9110, section 13.1. One that does not hold is `PROFILE_CONFLICT`. */
const changeHeadersSchema = lazySchema(() =>
  z.object({ "if-match": z.string().optional(), "if-none-match": z.string().optional() }),
);
const removalHeadersSchema = lazySchema(() => z.object({ "if-match": z.string().optional() }));

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
  getProfile: {
    method: "GET",
    path: "/profiles/:name",
    access: "read",
    summary: "A named agent with its text; its `ETag` is for `If-Match`",
    status: 200,
    params: profileParamsSchema,
    query: profilesQuerySchema,
    response: writtenProfileResponseSchema,
  },
  // What it may use and spend is written there too, turns that nobody watches have it, and other programs read these files.
  putProfile: {
    method: "PUT",
    path: "/profiles/:name",
    access: "admin",
    summary: "Write a named agent into its file, or a new one",
    status: 200,
    params: profileParamsSchema,
    headers: changeHeadersSchema,
    body: putProfileRequestSchema,
    response: writtenProfileResponseSchema,
  },
  deleteProfile: {
    method: "DELETE",
    path: "/profiles/:name",
    access: "admin",
    summary: "Take a named agent out of its file",
    status: 200,
    params: profileParamsSchema,
    query: profilesQuerySchema,
    headers: removalHeadersSchema,
    response: deletedResponseSchema,
  },
} as const satisfies Record<string, Route>;
