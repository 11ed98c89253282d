import { failureSchema, lazySchema, timestampSchema } from "@incipit/schema";
import * as z from "zod";
import { capabilitiesSchema } from "../grants/capabilities.ts";
import { deletedResponseSchema } from "./deleted-response.ts";
import type { Route } from "./route.ts";

const extensionParamsSchema = lazySchema(() => z.object({ id: z.string() }));

const generationSchema = lazySchema(() => z.object({ version: z.string(), generation: z.int() }));

export const swapReportSchema = lazySchema(() =>
  z.object({
    /**
     * `kept-old`: the new one did not start, and the old one kept running. `restored-old`: the old one had to stop
     * first and was started again. `failed`: neither started. `loaded`: none ran before.
     */
    outcome: z.enum(["swapped", "kept-old", "restored-old", "failed", "loaded"]),
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

export const extensionSchema = lazySchema(() =>
  z.object({
    id: z.string(),
    version: z.string(),
    /** `core`: part of the host. `standard`: restricted to its grant. */
    trust: z.enum(["core", "standard"]),
    /** Folder of its code; `null` if built in. */
    path: z.string().nullable(),
    /** The files differ from the loaded code; a swap loads them. */
    isCodeChanged: z.boolean(),
    phase: z.enum(["waiting", "starting", "active", "draining", "stopped", "failed"]),
    /** Number of activations. */
    generation: z.int(),
    since: timestampSchema,
    provides: z.array(z.string()),
    /** Required services. */
    requires: z.array(z.string()),
    /** Optional services. */
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
    refusals: z.object({
      count: z.int(),
      /** Newest first. */
      latest: z.array(z.object({ message: z.string(), count: z.int(), at: timestampSchema })),
    }),
    lastError: failureSchema.nullable(),
    lastSwap: swapReportSchema.nullable(),
  }),
);
export type ExtensionInfo = z.infer<typeof extensionSchema>;
export const extensionsResponseSchema = lazySchema(() => z.object({ extensions: z.array(extensionSchema) }));
export const extensionResponseSchema = lazySchema(() => z.object({ extension: extensionSchema }));
export const removedExtensionResponseSchema = lazySchema(() =>
  extensionResponseSchema.extend({
    /** Number of remaining stored entries, up to 1,000. */
    stored: z.int(),
  }),
);

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
export type AddExtensionRequest = z.infer<typeof addExtensionRequestSchema>;

export const swapExtensionRequestSchema = lazySchema(() =>
  z.strictObject({
    /** Defaults to the current folder, read again. */
    path: z.string().min(1).exactOptional(),
    grant: capabilitiesSchema.exactOptional(),
    sha256: grantedSha256,
    data: foundData,
  }),
);
export type SwapExtensionRequest = z.infer<typeof swapExtensionRequestSchema>;

/** Routes of extensions. */
export const extensionRoutes = {
  listExtensions: {
    method: "GET",
    path: "/extensions",
    access: "read",
    summary: "The extensions and how they are",
    status: 200,
    response: extensionsResponseSchema,
  },
  addExtension: {
    method: "POST",
    path: "/extensions",
    access: "admin",
    summary: "Add an extension from a folder, with what it is granted",
    status: 201,
    body: addExtensionRequestSchema,
    response: extensionResponseSchema,
  },
  getExtension: {
    method: "GET",
    path: "/extensions/:id",
    access: "read",
    params: extensionParamsSchema,
    summary: "An extension and how it is",
    status: 200,
    response: extensionResponseSchema,
  },
  removeExtension: {
    method: "DELETE",
    path: "/extensions/:id",
    access: "admin",
    params: extensionParamsSchema,
    summary: "Unload an extension of a folder, and forget it and its grant",
    status: 200,
    response: removedExtensionResponseSchema,
  },
  deleteExtensionData: {
    method: "DELETE",
    path: "/extensions/:id/data",
    access: "admin",
    params: extensionParamsSchema,
    summary: "Delete what was stored under the id of an extension that is not there",
    status: 200,
    response: deletedResponseSchema,
  },
  swapExtension: {
    method: "POST",
    path: "/extensions/:id/swap",
    access: "admin",
    params: extensionParamsSchema,
    summary: "Let another generation of an extension take over; answers when the old one is over",
    status: 200,
    body: swapExtensionRequestSchema,
    response: swapReportSchema,
  },
  loadExtension: {
    method: "POST",
    path: "/extensions/:id/load",
    access: "admin",
    params: extensionParamsSchema,
    summary: "Start an extension",
    status: 200,
    response: extensionResponseSchema,
  },
  unloadExtension: {
    method: "POST",
    path: "/extensions/:id/unload",
    access: "admin",
    params: extensionParamsSchema,
    summary: "Stop an extension",
    status: 200,
    response: extensionResponseSchema,
  },
} as const satisfies Record<string, Route>;
