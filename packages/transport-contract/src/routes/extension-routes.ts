import { failureSchema, lazySchema, timestampSchema } from "@incipit/schema";
import * as z from "zod";
import { capabilitiesSchema } from "../grants/capabilities.ts";
import { deletedResponseSchema } from "./deleted-response.ts";
import type { Route } from "./route.ts";

const extensionParamsSchema = lazySchema(() =>
  z.object({
    /** Id of the extension. */
    id: z.string(),
  }),
);

const generationSchema = lazySchema(() =>
  z.object({
    /** Version of its code. */
    version: z.string(),
    /** Number of the activation, from 1; 0 if none. */
    generation: z.int(),
  }),
);

/** Outcome of a swap of an extension. */
export const swapReportSchema = lazySchema(() =>
  z.object({
    /**
     * `kept-old`: the new one did not start, and the old one kept running. `restored-old`: the old one had to stop
     * first and was started again. `failed`: neither started. `loaded`: none ran before.
     */
    outcome: z.enum(["swapped", "kept-old", "restored-old", "failed", "loaded"]),
    /** The replaced generation. */
    from: generationSchema,
    /** The intended generation, also if it did not start. */
    to: generationSchema,
    /** Calls of the old generation that completed after the swap began. */
    drained: z.int(),
    /** Calls aborted at the deadline. */
    cut: z.int(),
    tookMs: z.number(),
    at: timestampSchema,
    error: failureSchema.exactOptional(),
  }),
);
export type SwapReportInfo = z.infer<typeof swapReportSchema>;

/** State of an extension. */
export const extensionSchema = lazySchema(() =>
  z.object({
    /** Id of the extension. */
    id: z.string(),
    /** Version of its code. */
    version: z.string(),
    /** `core`: part of the host. `standard`: restricted to its grant. */
    trust: z.enum(["core", "standard"]),
    /** Folder of its code; `null` if built in. */
    path: z.string().nullable(),
    /** The files differ from the loaded code; a swap loads them. */
    isCodeChanged: z.boolean(),
    /** Phase of its life cycle. */
    phase: z.enum(["waiting", "starting", "active", "draining", "stopped", "failed"]),
    /** Number of activations. */
    generation: z.int(),
    /** Start of the phase. */
    since: timestampSchema,
    provides: z.array(z.string()),
    /** Required services, as `id@major`. */
    requires: z.array(z.string()),
    /** Optional services, as `id@major`. */
    uses: z.array(z.string()),
    contributes: z.array(z.string()),
    reads: z.array(z.string()),
    /** Required services without a provider. */
    waitsFor: z.array(z.string()),
    /** Ids of running extensions that depend on what it provides or contributes to. */
    usedBy: z.array(z.string()),
    callsInFlight: z.int(),
    /** A replaced generation that has not ended yet. */
    draining: generationSchema.extend({ callsInFlight: z.int() }).nullable(),
    /** Permissions that its manifest requests. */
    asked: capabilitiesSchema,
    granted: capabilitiesSchema,
    /** Denied operations. */
    refusals: z.object({
      /** Number of denials. */
      count: z.int(),
      /** Latest denials, newest first. */
      latest: z.array(
        z.object({
          /** The denied operation and the reason. */
          message: z.string(),
          /** Number of occurrences. */
          count: z.int(),
          /** Time of the last occurrence. */
          at: timestampSchema,
        }),
      ),
    }),
    /** The last failure, if any. */
    lastError: failureSchema.nullable(),
    /** The last swap, if any. */
    lastSwap: swapReportSchema.nullable(),
  }),
);
export type ExtensionInfo = z.infer<typeof extensionSchema>;
export const extensionsResponseSchema = lazySchema(() =>
  z.object({
    /** Loaded extensions. */
    extensions: z.array(extensionSchema),
  }),
);
export const extensionResponseSchema = lazySchema(() => z.object({ extension: extensionSchema }));

/** Hash of the code from `GRANT_REQUIRED`; other code requires approval again. */
const grantedSha256 = z.string().exactOptional();

/** Handling of data stored under its id that it could not access before; required if there is any. */
const foundData = z.enum(["keep", "drop"]).exactOptional();

export const addExtensionRequestSchema = lazySchema(() =>
  z.strictObject({
    /** Absolute folder on the host's machine. */
    path: z.string().min(1),
    /** Defaults to the previous grant of this id, if sufficient. */
    grant: capabilitiesSchema.exactOptional(),
    sha256: grantedSha256,
    data: foundData,
  }),
);

export const swapExtensionRequestSchema = lazySchema(() =>
  z.strictObject({
    /** Defaults to the current folder, read again. */
    path: z.string().min(1).exactOptional(),
    /** Defaults to the previous grant of this id, if sufficient. */
    grant: capabilitiesSchema.exactOptional(),
    sha256: grantedSha256,
    data: foundData,
  }),
);

/** Routes of extensions. */
export const extensionRoutes = {
  /** Lists all extensions, including those of the host, with phase, permissions and failures. */
  listExtensions: {
    method: "GET",
    path: "/extensions",
    access: "read",
    summary: "The extensions and their states",
    response: extensionsResponseSchema,
  },
  /**
   * Adds an extension from a folder on the host's machine and starts it. Without a sufficient grant, returns
   * `GRANT_REQUIRED` with the requested permissions and changes nothing.
   */
  addExtension: {
    method: "POST",
    path: "/extensions",
    access: "admin",
    summary: "Add an extension from a folder, and grant its permissions",
    status: 201,
    body: addExtensionRequestSchema,
    response: extensionResponseSchema,
  },
  /** Returns one extension with its phase, permissions, denials, last swap and last failure. */
  getExtension: {
    method: "GET",
    path: "/extensions/:id",
    access: "read",
    params: extensionParamsSchema,
    summary: "An extension and its state",
    response: extensionResponseSchema,
  },
  /** Stops an extension that was added from a folder, and deletes it with its grant. Its stored data remains. */
  removeExtension: {
    method: "DELETE",
    path: "/extensions/:id",
    access: "admin",
    params: extensionParamsSchema,
    summary: "Remove an extension of a folder, and its grant",
    response: lazySchema(() =>
      extensionResponseSchema.extend({
        /** Number of remaining stored entries, up to 1,000. */
        stored: z.int(),
      }),
    ),
  },
  /** Permanently deletes the data stored under the id of an extension that is not loaded. */
  deleteExtensionData: {
    method: "DELETE",
    path: "/extensions/:id/data",
    access: "admin",
    params: extensionParamsSchema,
    summary: "Delete the stored data of a removed extension",
    response: deletedResponseSchema,
  },
  /**
   * Starts another version of an extension next to the running one and switches to it; calls in flight complete on
   * the old one. If the new one fails to start, the old one continues, and the report has the reason.
   */
  swapExtension: {
    method: "POST",
    path: "/extensions/:id/swap",
    access: "admin",
    params: extensionParamsSchema,
    summary: "Swap an extension; returns when the old generation has ended",
    body: swapExtensionRequestSchema,
    response: swapReportSchema,
  },
  /** Starts an extension that was stopped or has failed. */
  loadExtension: {
    method: "POST",
    path: "/extensions/:id/load",
    access: "admin",
    params: extensionParamsSchema,
    summary: "Start an extension",
    response: extensionResponseSchema,
  },
  /** Stops an extension, and before that those that require it; they restart with it. */
  unloadExtension: {
    method: "POST",
    path: "/extensions/:id/unload",
    access: "admin",
    params: extensionParamsSchema,
    summary: "Stop an extension",
    response: extensionResponseSchema,
  },
} as const satisfies Record<string, Route>;
