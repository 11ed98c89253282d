import { askerSchema, conversationIdSchema, lazySchema, modelFactsSchema } from "@incipit/schema";
import * as z from "zod";
import type { Route } from "./route.ts";

export const healthResponseSchema = lazySchema(() =>
  z.object({
    status: z.enum(["ok", "degraded"]),
    version: z.string(),
    /** What needs an operator's eye, such as a data file that was set aside. */
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
    /** What is missing, such as a key, and what to do. */
    problem: z.string().nullable(),
    isDefault: z.boolean(),
    /** `null`: not in the catalogue, and nothing is configured of it. */
    facts: modelFactsSchema.nullable(),
  }),
);
export type Model = z.infer<typeof modelSchema>;
export const modelsResponseSchema = lazySchema(() => z.object({ models: z.array(modelSchema) }));

/** Where the value of a key was written. `default`, `not-set`: nowhere. */
const keyOriginSchema = lazySchema(() =>
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("file"), file: z.string(), line: z.int().positive() }),
    z.object({ kind: z.literal(["variable", "flag"]), name: z.string() }),
    z.object({ kind: z.literal(["default", "not-set"]) }),
  ]),
);

const configuredKeySchema = lazySchema(() =>
  z.object({
    /** From the top of the file, such as `["listen", "port"]`. */
    path: z.array(z.string()),
    /** Without the secrets in it; `null`: nothing is set. */
    value: z.json(),
    origin: keyOriginSchema,
    /** Something was left out of `value`. */
    isRedacted: z.boolean(),
  }),
);
export type ConfiguredKeyInfo = z.infer<typeof configuredKeySchema>;
const configurationResponseSchema = lazySchema(() =>
  z.object({
    /** In the order of their names. */
    keys: z.array(configuredKeySchema),
  }),
);

const trustedFolderSchema = lazySchema(() =>
  z.object({
    path: z.string(),
    trustedAt: z.string(),
    /** `changed`: it was trusted with other content. `gone`: it was trusted, and is no longer there. */
    files: z.array(z.object({ name: z.string(), state: z.enum(["trusted", "not-trusted", "changed", "gone"]) })),
    /** It is a repository: what git says of it is trusted, too. */
    isRepository: z.boolean(),
    /** What its configuration asks for, a sentence each. */
    wishes: z.array(z.string()),
    /** Why it cannot be looked at, or its configuration cannot be taken. */
    problem: z.string().nullable(),
    /** Calls of tools that a person has allowed in its later conversations, oldest first. */
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
    /** What was trusted last comes first. */
    folders: z.array(trustedFolderSchema),
    /** So many more are trusted, and were not looked at. */
    leftOut: z.int().nonnegative(),
  }),
);

export const toolServerSchema = lazySchema(() =>
  z.object({
    name: z.string(),
    /** The program with its arguments, or the URL; without secrets. */
    target: z.string(),
    /** `idle`: nobody has needed it yet. `failed`: it did not start, or has ended by itself. */
    state: z.enum(["idle", "starting", "running", "failed"]),
    error: z.string().nullable(),
    /** As it listed them last; `null`: it has not yet. */
    tools: z
      .array(
        z.object({
          name: z.string(),
          description: z.string(),
          /** What its server says; it may be wrong. */
          isReadOnly: z.boolean(),
          /** Whether a call runs at once, after a person allowed it, or never. */
          approval: z.enum(["allow", "ask", "deny"]),
        }),
      )
      .nullable(),
    /** What was left out of the list, and why. */
    problems: z.array(z.string()),
    /** What models are told in its own words, without secrets; `null`: nothing, or it did not say yet. */
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
    /** Whose working folder it is read in; absent: the host's own. */
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

/** Where a browser comes back to: to a program on the machine of whoever signs in, and to nobody else. */
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

/** The routes about the host itself: how it is, and what it can call. */
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
