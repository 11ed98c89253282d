import { askerSchema, conversationIdSchema, lazySchema, modelFactsSchema } from "@incipit/schema";
import * as z from "zod";
import type { Route } from "./route.ts";

export const healthResponseSchema = lazySchema(() =>
  z.object({
    status: z.enum(["ok", "degraded"]),
    version: z.string(),
    /** Problems that need the operator's attention, such as a damaged data file. */
    problems: z.array(z.string()),
  }),
);
export type HealthResponse = z.infer<typeof healthResponseSchema>;

export const modelSchema = lazySchema(() =>
  z.object({
    /** PROVIDER/MODEL. */
    id: z.string(),
    provider: z.string(),
    isReady: z.boolean(),
    /** A missing prerequisite, such as an API key, with a remedy. */
    problem: z.string().nullable(),
    isDefault: z.boolean(),
    /** `null` if neither in the catalogue nor configured. */
    facts: modelFactsSchema.nullable(),
  }),
);
export type Model = z.infer<typeof modelSchema>;
export const modelsResponseSchema = lazySchema(() => z.object({ models: z.array(modelSchema) }));

/** Origin of a value. `default`, `not-set`: not configured. */
const keyOriginSchema = lazySchema(() =>
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("file"), file: z.string(), line: z.int().positive() }),
    z.object({ kind: z.literal(["variable", "flag"]), name: z.string() }),
    z.object({ kind: z.literal(["default", "not-set"]) }),
  ]),
);

const configuredKeySchema = lazySchema(() =>
  z.object({
    /** Path from the root of the file, such as `["listen", "port"]`. */
    path: z.array(z.string()),
    /** Redacted; `null` if not set. */
    value: z.json(),
    origin: keyOriginSchema,
    /** Whether secrets were removed from `value`. */
    isRedacted: z.boolean(),
  }),
);
export type ConfiguredKeyInfo = z.infer<typeof configuredKeySchema>;
const configurationResponseSchema = lazySchema(() =>
  z.object({
    /** Sorted by name. */
    keys: z.array(configuredKeySchema),
  }),
);

const trustedFolderSchema = lazySchema(() =>
  z.object({
    path: z.string(),
    trustedAt: z.string(),
    /** `changed`: trusted with different content. `gone`: trusted, but no longer present. */
    files: z.array(z.object({ name: z.string(), state: z.enum(["trusted", "not-trusted", "changed", "gone"]) })),
    /** A git repository: the output of git is trusted too. */
    isRepository: z.boolean(),
    /** Permissions requested by its configuration, one sentence each. */
    wishes: z.array(z.string()),
    /** Why the folder cannot be read or its configuration is invalid. */
    problem: z.string().nullable(),
    /** Tool calls allowed in all conversations of the folder, oldest first. */
    allowed: z.array(
      z.object({
        id: z.string(),
        tool: z.string(),
        by: askerSchema,
        grants: z.array(z.string()),
        allowedAt: z.string(),
      }),
    ),
  }),
);
export type TrustedFolderInfo = z.infer<typeof trustedFolderSchema>;
const trustedFoldersResponseSchema = lazySchema(() =>
  z.object({
    /** Most recently trusted first. */
    folders: z.array(trustedFolderSchema),
    /** Number of trusted folders beyond the limit. */
    leftOut: z.int().nonnegative(),
  }),
);

export const toolServerSchema = lazySchema(() =>
  z.object({
    name: z.string(),
    /** Command line or URL, redacted. */
    target: z.string(),
    /** `idle`: not needed so far. `failed`: did not start, or exited unexpectedly. */
    state: z.enum(["idle", "starting", "running", "failed"]),
    error: z.string().nullable(),
    /** The last listed tools; `null` if not listed yet. */
    tools: z
      .array(
        z.object({
          name: z.string(),
          description: z.string(),
          /** As declared by the server; not verified. */
          isReadOnly: z.boolean(),
          /** Whether a call runs immediately, after approval, or never. */
          approval: z.enum(["allow", "ask", "deny"]),
        }),
      )
      .nullable(),
    /** Omitted tools, with reasons. */
    problems: z.array(z.string()),
    /** The server's instructions for models, redacted; `null` if none or unknown. */
    instructions: z.string().nullable(),
  }),
);
export type ToolServerInfo = z.infer<typeof toolServerSchema>;
const toolServersResponseSchema = lazySchema(() => z.object({ servers: z.array(toolServerSchema) }));
const toolServerResponseSchema = lazySchema(() => z.object({ server: toolServerSchema }));
const toolServerParamsSchema = lazySchema(() => z.object({ name: z.string() }));

const resourcesResponseSchema = lazySchema(() =>
  z.object({
    resources: z.array(
      z.object({
        uri: z.string(),
        isTemplate: z.boolean(),
        description: z.string().nullable(),
        mediaType: z.string().nullable(),
      }),
    ),
    problems: z.array(z.string()),
  }),
);
const readResourceBodySchema = lazySchema(() =>
  z.strictObject({
    uri: z.string().min(1, "must not be empty").max(4_000, "must have at most 4,000 characters"),
    /** Conversation whose working folder is used. Defaults to the host's folder. */
    conversationId: conversationIdSchema.exactOptional(),
  }),
);
const resourceResponseSchema = lazySchema(() =>
  z.object({
    contents: z.array(
      z.discriminatedUnion("type", [
        z.object({
          type: z.literal("text"),
          uri: z.string(),
          mediaType: z.string().nullable(),
          text: z.string(),
        }),
        z.object({ type: z.literal("file"), uri: z.string(), mediaType: z.string(), data: z.string() }),
      ]),
    ),
  }),
);

/** Redirect target after a sign-in: only a program on the user's machine. */
const redirectUrlSchema = z
  .url()
  .regex(
    /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?\//,
    'must be an address of this machine, such as "http://127.0.0.1:8976/callback"',
  );
const signInBodySchema = lazySchema(() => z.strictObject({ redirectUrl: redirectUrlSchema }));
const signInResponseSchema = lazySchema(() =>
  z.object({ authorizationUrl: z.string(), foreignHost: z.string().nullable() }),
);
const finishSignInBodySchema = lazySchema(() => z.strictObject({ address: redirectUrlSchema }));

const openApiResponseSchema = lazySchema(() => z.looseObject({ openapi: z.string() }));

/** Routes of the host itself. */
export const hostRoutes = {
  getHealth: {
    method: "GET",
    path: "/health",
    access: "open",
    summary: "Whether the host is well",
    status: 200,
    response: healthResponseSchema,
  },
  listModels: {
    method: "GET",
    path: "/models",
    access: "read",
    summary: "The models that are configured",
    status: 200,
    response: modelsResponseSchema,
  },
  getConfiguration: {
    method: "GET",
    path: "/configuration",
    access: "admin",
    summary: "Each key of the configuration in force, and where its value was written; without secrets",
    status: 200,
    response: configurationResponseSchema,
  },
  listTrustedFolders: {
    method: "GET",
    path: "/trusted-folders",
    access: "admin",
    summary:
      "The folders that are trusted, with what they hold and ask for; to trust one is for a person at the command",
    status: 200,
    response: trustedFoldersResponseSchema,
  },
  listToolServers: {
    method: "GET",
    path: "/tool-servers",
    access: "read",
    summary: "The servers of tools (MCP) that are configured, their tools, and how they are; starts none",
    status: 200,
    response: toolServersResponseSchema,
  },
  startToolServer: {
    method: "POST",
    path: "/tool-servers/:name/start",
    params: toolServerParamsSchema,
    access: "admin",
    summary: "Start a server of tools, unless it runs; answers once it has listed its tools, or failed",
    status: 200,
    response: toolServerResponseSchema,
  },
  listResources: {
    method: "GET",
    path: "/tool-servers/:name/resources",
    params: toolServerParamsSchema,
    access: "converse",
    summary: "What a server of tools (MCP) has to be read; it is started for it, unless it runs",
    status: 200,
    response: resourcesResponseSchema,
  },
  readResource: {
    method: "POST",
    path: "/tool-servers/:name/resources/read",
    params: toolServerParamsSchema,
    access: "converse",
    summary: "What a resource of a server of tools holds, to be sent with a message",
    status: 200,
    body: readResourceBodySchema,
    response: resourceResponseSchema,
  },
  beginToolServerSignIn: {
    method: "POST",
    path: "/tool-servers/:name/sign-in",
    params: toolServerParamsSchema,
    access: "admin",
    summary: "Begin to sign in to a server of tools (OAuth): the address that a person opens in a browser",
    status: 200,
    body: signInBodySchema,
    response: signInResponseSchema,
  },
  finishToolServerSignIn: {
    method: "POST",
    path: "/tool-servers/:name/sign-in/finish",
    params: toolServerParamsSchema,
    access: "admin",
    summary: "Finish the sign-in with the address that the browser came back with, and start the server",
    status: 200,
    body: finishSignInBodySchema,
    response: toolServerResponseSchema,
  },
  signOutOfToolServer: {
    method: "DELETE",
    path: "/tool-servers/:name/sign-in",
    params: toolServerParamsSchema,
    access: "admin",
    summary: "Forget what a sign-in to a server of tools has given; the server itself is not told",
    status: 200,
    response: toolServerResponseSchema,
  },
  getOpenApi: {
    method: "GET",
    path: "/openapi.json",
    access: "open",
    summary: "This document",
    status: 200,
    response: openApiResponseSchema,
  },
} as const satisfies Record<string, Route>;
