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
    /** When to use the agent. */
    description: z.string().nullable(),
    /** PROVIDER/MODEL; `null`: the host's default. */
    model: z.string().nullable(),
    /** Whether it has its own system prompt, possibly empty. */
    hasSystemPrompt: z.boolean(),
    /** Why its model cannot be used, such as a missing provider. */
    problem: z.string().nullable(),
    source: profileSourceSchema,
    /** Shadowed agents of the same name, nearest first. */
    shadowed: z.array(shadowedProfileSchema),
    /** Non-fatal problems, one sentence each. */
    warnings: z.array(z.string()),
  }),
);
export type Profile = z.infer<typeof profileSchema>;

const profilesQuerySchema = lazySchema(() =>
  z.object({
    /** Absolute working folder. Defaults to the host's. */
    cwd: z.string().optional(),
  }),
);
const profilesResponseSchema = lazySchema(() =>
  z.object({
    profiles: z.array(profileSchema),
    /** Problems of agent files. */
    problems: z.array(profileProblemSchema),
  }),
);

const profileParamsSchema = lazySchema(() => z.object({ name: z.string() }));

/** A named agent with all fields. */
export const writtenProfileSchema = lazySchema(() => {
  const { mcpServers, skills } = profileFieldsSchema.shape;
  return profileSchema.extend({
    ...profileFieldsSchema.shape,
    /** `null`: all. */
    mcpServers: mcpServers.nullable(),
    skills: skills.nullable(),
  });
});

export const writtenProfileResponseSchema = lazySchema(() =>
  z.object({
    profile: writtenProfileSchema,
    /** Source text, or the agent's section of a file with several; `null` if it comes from the configuration. */
    text: z.string().nullable(),
    /** For `If-Match`; `null` without a text. */
    etag: z.string().nullable(),
  }),
);
export type WrittenProfileResponse = z.infer<typeof writtenProfileResponseSchema>;

const putProfileRequestSchema = lazySchema(() =>
  z.strictObject({
    /** Complete text of the agent, with keys and prompt. */
    text: z.string(),
    /** Absolute working folder. Defaults to the host's. */
    cwd: z.string().optional(),
    /** Creates a new agent in the user's folder instead of the working folder. */
    user: z.boolean().optional(),
  }),
);

/** RFC 9110, section 13.1. A failed condition is `PROFILE_CONFLICT`. */
const changeHeadersSchema = lazySchema(() =>
  z.object({ "if-match": z.string().optional(), "if-none-match": z.string().optional() }),
);
const removalHeadersSchema = lazySchema(() => z.object({ "if-match": z.string().optional() }));

/** Routes of named agents. */
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
  // An agent determines permissions and budgets, also of autonomous turns, and other programs read these files.
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
