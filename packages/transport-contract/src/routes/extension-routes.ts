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
     * `kept-old`: the new one did not start, the old one never stopped. `restored-old`: the old one had to stop first, and was
     * started again. `failed`: neither started. `loaded`: nothing ran before.
     */
    outcome: z.enum(["swapped", "kept-old", "restored-old", "failed", "loaded"]),
    from: generationSchema,
    /** What was to come, also where it did not. */
    to: generationSchema,
    /** Calls of the old generation that ended by themselves after the swap had begun. */
    drained: z.int(),
    /** Calls that did not end before the deadline, and were ended for their callers. */
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
    /** `core`: part of the host. `standard`: has what it was granted. */
    trust: z.enum(["core", "standard"]),
    /** The folder that its code came from; `null`: it is built in. */
    path: z.string().nullable(),
    /** Its code is not the one that it was added with; a swap takes it. */
    isCodeChanged: z.boolean(),
    phase: z.enum(["waiting", "starting", "active", "draining", "stopped", "failed"]),
    /** Counts activations from 1; 0 before the first. */
    generation: z.int(),
    since: timestampSchema,
    provides: z.array(z.string()),
    /** Services that it cannot do without. */
    requires: z.array(z.string()),
    /** Services that it uses when they are there. */
    uses: z.array(z.string()),
    contributes: z.array(z.string()),
    reads: z.array(z.string()),
    /** Required services that nobody provides. */
    waitsFor: z.array(z.string()),
    /** Ids of running extensions that name what it provides or contributes to. */
    usedBy: z.array(z.string()),
    callsInFlight: z.int(),
    /** A generation that was swapped out, and has not ended yet. */
    draining: generationSchema.extend({ callsInFlight: z.int() }).nullable(),
    /** What its manifest asks for. */
    asked: capabilitiesSchema,
    granted: capabilitiesSchema,
    refusals: z.object({
      count: z.int(),
      /** The newest first. */
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
    /** Entries that it has left behind, counted up to 1,000. */
    stored: z.int(),
  }),
);

/** The hash of its code, as `GRANT_REQUIRED` told it: where it is other code by now, it is asked again. */
const grantedSha256 = z.string().exactOptional();

/** What becomes of what was stored under its id when it could not get at that; needed when there is something. */
const foundData = z.enum(["keep", "drop"]).exactOptional();

export const addExtensionRequestSchema = lazySchema(() =>
  z.strictObject({
    /** Absolute path of a folder on the host's machine. */
    path: z.string().min(1),
    /** Absent: what was granted to this id before, when it covers what is asked. */
    grant: capabilitiesSchema.exactOptional(),
    sha256: grantedSha256,
    data: foundData,
  }),
);
export type AddExtensionRequest = z.infer<typeof addExtensionRequestSchema>;

export const swapExtensionRequestSchema = lazySchema(() =>
  z.strictObject({
    /** Absent: the same code anew; of a folder, as it is now. */
    path: z.string().min(1).exactOptional(),
    grant: capabilitiesSchema.exactOptional(),
    sha256: grantedSha256,
    data: foundData,
  }),
);
export type SwapExtensionRequest = z.infer<typeof swapExtensionRequestSchema>;

/** The routes about extensions. */
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
