import * as z from "zod";
import { timestampSchema } from "./ids.ts";

const namesSchema = z.array(z.string());

/** What an extension asks for, and what it was granted. `true`: all of it; absent: nothing. */
export const capabilitiesSchema = z.strictObject({
  fs: z
    .union([
      z.literal(true),
      z.strictObject({ read: namesSchema.exactOptional(), write: namesSchema.exactOptional() }),
    ])
    .exactOptional(),
  /** Names of programs. */
  spawn: z.union([z.literal(true), namesSchema]).exactOptional(),
  /** `host:port`, or `private:host:port`. */
  net: z.union([z.literal(true), namesSchema]).exactOptional(),
  /** Names of variables. */
  env: z.union([z.literal(true), namesSchema]).exactOptional(),
  storage: z
    .union([
      z.literal(true),
      z.strictObject({
        namespaces: namesSchema.exactOptional(),
        maxBytes: z.int().positive().exactOptional(),
      }),
    ])
    .exactOptional(),
  listen: z.literal(true).exactOptional(),
  /** May import system modules: everything that the host's process can do. */
  system: z.literal(true).exactOptional(),
  /**
   * Services and extension points as `id@major`, named as in the manifest (`uses`: its `dependsOn`). In a grant, a key that is
   * left out grants what is asked for there and needs no question.
   */
  uses: namesSchema.exactOptional(),
  provides: namesSchema.exactOptional(),
  contributes: namesSchema.exactOptional(),
  reads: namesSchema.exactOptional(),
});
export type CapabilitiesInfo = z.infer<typeof capabilitiesSchema>;

const generationSchema = z.object({ version: z.string(), generation: z.int() });
const failureSchema = z.object({ code: z.string(), message: z.string() });

export const swapReportSchema = z.object({
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
});
export type SwapReportInfo = z.infer<typeof swapReportSchema>;

export const extensionSchema = z.object({
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
});
export type ExtensionInfo = z.infer<typeof extensionSchema>;
export const extensionsResponseSchema = z.object({ extensions: z.array(extensionSchema) });
export const extensionResponseSchema = z.object({ extension: extensionSchema });
export const removedExtensionResponseSchema = extensionResponseSchema.extend({
  /** Entries that it has left behind, counted up to 1,000. */
  stored: z.int(),
});

/** Of its code, as `GRANT_REQUIRED` told it: where it is other code by now, it is asked again. */
const grantedSha256 = z.string().exactOptional();

/** What becomes of what was stored under its id when it could not get at that; needed when there is something. */
const foundData = z.enum(["keep", "drop"]).exactOptional();

export const addExtensionRequestSchema = z.strictObject({
  /** Absolute path of a folder on the host's machine. */
  path: z.string().min(1),
  /** Absent: what was granted to this id before, when it covers what is asked. */
  grant: capabilitiesSchema.exactOptional(),
  sha256: grantedSha256,
  data: foundData,
});
export type AddExtensionRequest = z.infer<typeof addExtensionRequestSchema>;

export const swapExtensionRequestSchema = z.strictObject({
  /** Absent: the same code anew; of a folder, as it is now. */
  path: z.string().min(1).exactOptional(),
  grant: capabilitiesSchema.exactOptional(),
  sha256: grantedSha256,
  data: foundData,
});
export type SwapExtensionRequest = z.infer<typeof swapExtensionRequestSchema>;

/** `details` of the error `GRANT_REQUIRED`. */
export const grantRequiredDetailsSchema = z.object({
  id: z.string(),
  version: z.string(),
  /** All that the manifest asks for. */
  asked: capabilitiesSchema,
  /** What to grant for it to go on: all that it asks for, or what it had where only its code has changed. */
  grant: capabilitiesSchema,
  /** Of its code; to be sent with the grant. */
  sha256: z.string(),
  /** Entries that were stored under its id before, and that it would get, counted up to 1,000; to be decided with the grant (`data`). */
  stored: z.int(),
  /** It asks for nothing new: its code is not the one that was granted this. */
  isCodeChanged: z.boolean(),
  /** In words, a line for each. */
  words: z.array(z.string()),
  /** What goes beyond the last grant, in words; all of it when there was none. */
  newWords: z.array(z.string()),
});
