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

const profileParamsSchema = lazySchema(() =>
  z.object({
    /** Name of the agent. */
    name: z.string(),
  }),
);

/** A named agent with all fields. */
export const writtenProfileSchema = lazySchema(() => {
  const { mcpServers, skills } = profileFieldsSchema.shape;
  return profileSchema.extend({
    ...profileFieldsSchema.shape,
    /** MCP servers of its conversations; `null`: all. */
    mcpServers: mcpServers.nullable(),
    /** Skills of its conversations; `null`: all. */
    skills: skills.nullable(),
  });
});

/** A named agent with its source text. */
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

/** RFC 9110, section 13.1. A failed condition is `PROFILE_CONFLICT`. */
const changeHeadersSchema = lazySchema(() =>
  z.object({ "if-match": z.string().optional(), "if-none-match": z.string().optional() }),
);

/** Routes of named agents. */
export const profileRoutes = {
  /**
   * Lists the named agents that a new conversation in the folder can use as `profile`: from trusted files of the
   * folder and of its parents up to the repository, from the user's files, and from the configuration. Of several
   * with one name, the nearest is used; the others are `shadowed`. Without the extension that reads agent files,
   * lists those of the configuration.
   */
  listProfiles: {
    method: "GET",
    path: "/profiles",
    access: "read",
    summary: "The agents of a working folder: from its files, the user's files and the configuration",
    query: profilesQuerySchema,
    response: lazySchema(() =>
      z.object({
        /** Active agents, nearest first. */
        profiles: z.array(profileSchema),
        /** Problems of agent files. */
        problems: z.array(profileProblemSchema),
      }),
    ),
  },
  /**
   * Returns the nearest agent of that name, with its source text: its file, or its section of a file with several.
   * Send the `ETag` as `If-Match` when writing it, so that no change is lost.
   */
  getProfile: {
    method: "GET",
    path: "/profiles/:name",
    access: "read",
    summary: "A named agent with its text; its `ETag` is for `If-Match`",
    params: profileParamsSchema,
    query: profilesQuerySchema,
    response: writtenProfileResponseSchema,
  },
  // An agent determines permissions and budgets, also of autonomous turns, and other programs read these files.
  /**
   * Replaces an agent in its file if it matches `If-Match`, or, with `If-None-Match: *`, creates one in `.agents`
   * of the folder or in the user's folder. An invalid text is rejected; the rest of the file stays unchanged. A
   * working folder must be trusted; the new content is trusted immediately. Existing conversations keep their
   * prompt.
   */
  putProfile: {
    method: "PUT",
    path: "/profiles/:name",
    access: "admin",
    summary: "Create or replace the file of an agent",
    params: profileParamsSchema,
    headers: changeHeadersSchema,
    body: lazySchema(() =>
      z.strictObject({
        /** Complete text of the agent, with keys and prompt. */
        text: z.string(),
        /** Absolute working folder. Defaults to the host's. */
        cwd: z.string().optional(),
        /** Creates a new agent in the user's folder instead of the working folder. */
        user: z.boolean().optional(),
      }),
    ),
    response: writtenProfileResponseSchema,
  },
  /**
   * Deletes an agent that matches `If-Match`: its file, or its section of a file with several. Existing
   * conversations keep their prompt.
   */
  deleteProfile: {
    method: "DELETE",
    path: "/profiles/:name",
    access: "admin",
    summary: "Delete the file of an agent",
    params: profileParamsSchema,
    query: profilesQuerySchema,
    headers: lazySchema(() => z.object({ "if-match": z.string().optional() })),
    response: deletedResponseSchema,
  },
} as const satisfies Record<string, Route>;
