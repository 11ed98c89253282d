import { askerSchema, conversationIdSchema, lazySchema, modelFactsSchema } from "@incipit/schema";
import * as z from "zod";
import type { Route } from "./route.ts";

export const healthResponseSchema = lazySchema(() =>
  z.object({
    /** `degraded`: a problem needs the operator's attention. */
    status: z.enum(["ok", "degraded"]),
    /** Version of the host. */
    version: z.string(),
    /** Problems that need the operator's attention, such as a damaged data file. */
    problems: z.array(z.string()),
  }),
);
export type HealthResponse = z.infer<typeof healthResponseSchema>;

/** A model of a configured provider. */
export const modelSchema = lazySchema(() =>
  z.object({
    /** PROVIDER/MODEL. */
    id: z.string(),
    /** Name of the provider in the configuration. */
    provider: z.string(),
    /** Whether it can be called. */
    isReady: z.boolean(),
    /** A missing prerequisite, such as an API key, with a remedy. */
    problem: z.string().nullable(),
    /** Whether it is the default model. */
    isDefault: z.boolean(),
    /** `null` if neither in the catalogue nor configured. */
    facts: modelFactsSchema.nullable(),
  }),
);
export type Model = z.infer<typeof modelSchema>;
export const modelsResponseSchema = lazySchema(() =>
  z.object({
    /** Models of all configured providers. */
    models: z.array(modelSchema),
  }),
);

/** Origin of a value. `default`, `not-set`: not configured. */
const keyOriginSchema = lazySchema(() =>
  z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("file"),
      /** Path of the file. */
      file: z.string(),
      /** Line in the file, from 1. */
      line: z.int().positive(),
    }),
    z.object({
      /** Kind of origin. */
      kind: z.literal(["variable", "flag"]),
      /** Name of the variable or flag. */
      name: z.string(),
    }),
    z.object({
      /** Kind of origin. */
      kind: z.literal(["default", "not-set"]),
    }),
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

const trustedFolderSchema = lazySchema(() =>
  z.object({
    path: z.string(),
    /** Time of the last trust decision. */
    trustedAt: z.string(),
    /** Files that need trust. */
    files: z.array(
      z.object({
        /** Name of the file in the folder. */
        name: z.string(),
        /** `changed`: trusted with different content. `gone`: trusted, but no longer present. */
        state: z.enum(["trusted", "not-trusted", "changed", "gone"]),
      }),
    ),
    /** A git repository: the output of git is trusted too. */
    isRepository: z.boolean(),
    /** Permissions requested by its configuration, one sentence each. */
    wishes: z.array(z.string()),
    /** Why the folder cannot be read or its configuration is invalid. */
    problem: z.string().nullable(),
    /** Tool calls allowed in all conversations of the folder, oldest first. */
    allowed: z.array(
      z.object({
        /** Id for `incipit trust take-back ID`. */
        id: z.string(),
        tool: z.string(),
        by: askerSchema,
        grants: z.array(z.string()),
        /** Time of the permission. */
        allowedAt: z.string(),
      }),
    ),
  }),
);
export type TrustedFolderInfo = z.infer<typeof trustedFolderSchema>;

export const toolServerSchema = lazySchema(() =>
  z.object({
    /** Name of the server, as in `[mcp.servers.NAME]`. */
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
          /** Description by the server. */
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
const toolServerResponseSchema = lazySchema(() =>
  z.object({
    /** The server after the request. */
    server: toolServerSchema,
  }),
);
const toolServerParamsSchema = lazySchema(() =>
  z.object({
    /** Name of the server, as in `[mcp.servers.NAME]`. */
    name: z.string(),
  }),
);

/** Redirect target after a sign-in: only a program on the user's machine. */
const redirectUrlSchema = z
  .url()
  .regex(
    /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?\//,
    'must be an address of this machine, such as "http://127.0.0.1:8976/callback"',
  );

/** Routes of the host itself. */
export const hostRoutes = {
  /**
   * Returns the health of the host, for monitoring. Needs no token; only callers with read access see the problems.
   */
  getHealth: {
    method: "GET",
    path: "/health",
    access: "open",
    summary: "The health of the host",
    response: healthResponseSchema,
  },
  /**
   * Lists the models of all configured providers, with known facts and problems. A conversation may use other
   * models of these providers too.
   */
  listModels: {
    method: "GET",
    path: "/models",
    access: "read",
    summary: "The configured models",
    response: modelsResponseSchema,
  },
  /** Lists all configuration keys with their values and origins, including defaults. Secrets are redacted. */
  getConfiguration: {
    method: "GET",
    path: "/configuration",
    access: "admin",
    summary: "The effective configuration: each key with its value and source, without secrets",
    response: lazySchema(() =>
      z.object({
        /** Sorted by name. */
        keys: z.array(configuredKeySchema),
      }),
    ),
  },
  /**
   * Lists the folders that the user trusts, the state of their files, and the permissions that they request. Only
   * `incipit trust` on the command line trusts a folder.
   */
  listTrustedFolders: {
    method: "GET",
    path: "/trusted-folders",
    access: "admin",
    summary:
      "The trusted folders, with their content and requested permissions; trust is granted only on the command line",
    response: lazySchema(() =>
      z.object({
        /** Most recently trusted first. */
        folders: z.array(trustedFolderSchema),
        /** Number of trusted folders beyond the limit. */
        leftOut: z.int().nonnegative(),
      }),
    ),
  },
  /**
   * Lists the configured MCP servers with their last known tools. Starts none: a server starts when it is first
   * needed.
   */
  listToolServers: {
    method: "GET",
    path: "/tool-servers",
    access: "read",
    summary: "The configured MCP servers, with tools and states; starts none",
    response: lazySchema(() =>
      z.object({
        /** Configured servers. */
        servers: z.array(toolServerSchema),
      }),
    ),
  },
  /**
   * Starts a configured MCP server and waits until its tools are listed. A failure is returned with status 200, as
   * state `failed` with an error.
   */
  startToolServer: {
    method: "POST",
    path: "/tool-servers/:name/start",
    params: toolServerParamsSchema,
    access: "admin",
    summary: "Start an MCP server, if not running; returns when it has listed its tools or failed",
    response: toolServerResponseSchema,
  },
  /**
   * Lists the resources of an MCP server, starting it if needed. A template is a URI with placeholders in braces,
   * which the client fills in.
   */
  listResources: {
    method: "GET",
    path: "/tool-servers/:name/resources",
    params: toolServerParamsSchema,
    access: "converse",
    summary: "The resources of an MCP server; starts the server if necessary",
    response: lazySchema(() =>
      z.object({
        /** Resources as described by the server. */
        resources: z.array(
          z.object({
            uri: z.string(),
            /** Whether the URI has placeholders in braces. */
            isTemplate: z.boolean(),
            /** Description by the server; `null` if none. */
            description: z.string().nullable(),
            mediaType: z.string().nullable(),
          }),
        ),
        /** Omitted resources, with reasons. */
        problems: z.array(z.string()),
      }),
    ),
  },
  /**
   * Reads a resource of an MCP server, starting it if needed. Clients replace `@SERVER:URI` in a message by its
   * contents, as parts before the message. `conversationId` selects the working folder of servers that depend on
   * it.
   */
  readResource: {
    method: "POST",
    path: "/tool-servers/:name/resources/read",
    params: toolServerParamsSchema,
    access: "converse",
    summary: "The content of a resource of an MCP server, for attaching to a message",
    body: lazySchema(() =>
      z.strictObject({
        /** URI of the resource, as listed. */
        uri: z.string().min(1, "must not be empty").max(4_000, "must have at most 4,000 characters"),
        /** Conversation whose working folder is used. Defaults to the host's folder. */
        conversationId: conversationIdSchema.exactOptional(),
      }),
    ),
    response: lazySchema(() =>
      z.object({
        /** Content: one or more texts or files. */
        contents: z.array(
          z.discriminatedUnion("type", [
            z.object({
              type: z.literal("text"),
              uri: z.string(),
              mediaType: z.string().nullable(),
              /** Text, redacted. */
              text: z.string(),
            }),
            z.object({ type: z.literal("file"), uri: z.string(), mediaType: z.string(), data: z.string() }),
          ]),
        ),
      }),
    ),
  },
  /**
   * Starts a sign-in to an MCP server that is configured with `oauth = true`: the user opens the URL, and the
   * browser returns to `redirectUrl` with a code. `incipit mcp login NAME` does all of this.
   */
  beginToolServerSignIn: {
    method: "POST",
    path: "/tool-servers/:name/sign-in",
    params: toolServerParamsSchema,
    access: "admin",
    summary: "Start the sign-in to an MCP server (OAuth): returns the address to open in a browser",
    body: lazySchema(() => z.strictObject({ redirectUrl: redirectUrlSchema })),
    response: lazySchema(() =>
      z.object({
        /** URL that the user opens in a browser within 10 minutes. */
        authorizationUrl: z.string(),
        /**
         * Host of `authorizationUrl` if it differs from the server's, to be shown before opening; otherwise `null`.
         */
        foreignHost: z.string().nullable(),
      }),
    ),
  },
  /**
   * Exchanges the code of the redirect URL for tokens, once, stores them in the data folder, and starts the server.
   * The tokens are never returned.
   */
  finishToolServerSignIn: {
    method: "POST",
    path: "/tool-servers/:name/sign-in/finish",
    params: toolServerParamsSchema,
    access: "admin",
    summary: "Complete the sign-in with the redirect address, and start the server",
    body: lazySchema(() =>
      z.strictObject({
        /** Complete URL of the redirect. */
        address: redirectUrlSchema,
      }),
    ),
    response: toolServerResponseSchema,
  },
  /**
   * Deletes the tokens of a sign-in and ends the session with the server. The server is not informed: revoke the
   * access in your account there.
   */
  signOutOfToolServer: {
    method: "DELETE",
    path: "/tool-servers/:name/sign-in",
    params: toolServerParamsSchema,
    access: "admin",
    summary: "Delete the tokens of a sign-in to an MCP server; does not notify the server",
    response: toolServerResponseSchema,
  },
  /** Returns this document, with the address of the request in `servers`. Needs no token. */
  getOpenApi: {
    method: "GET",
    path: "/openapi.json",
    access: "open",
    summary: "The OpenAPI document",
    response: lazySchema(() =>
      z.looseObject({
        /** Version of OpenAPI. */
        openapi: z.string(),
      }),
    ),
  },
} as const satisfies Record<string, Route>;
