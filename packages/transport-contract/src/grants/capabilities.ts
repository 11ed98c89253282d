import { lazySchema } from "@incipit/schema";
import * as z from "zod";

const namesSchema = lazySchema(() => z.array(z.string()));

/** Requested or granted permissions of an extension. `true`: unrestricted; absent: none. */
export const capabilitiesSchema = lazySchema(() =>
  z.strictObject({
    /** Access to files. `true`: all. Absent: none. */
    fs: z
      .union([
        z.literal(true),
        z.strictObject({
          /** Readable paths. Absent: none. */
          read: namesSchema.exactOptional(),
          /** Writable paths. Absent: none. */
          write: namesSchema.exactOptional(),
        }),
      ])
      .exactOptional(),
    /** Programs that it may run, by name. `true`: all. Absent: none. */
    spawn: z.union([z.literal(true), namesSchema]).exactOptional(),
    /** Addresses that it may connect to: `host:port`, or `private:host:port`. `true`: all. Absent: none. */
    net: z.union([z.literal(true), namesSchema]).exactOptional(),
    /** Environment variables that it may read, by name. `true`: all. Absent: none. */
    env: z.union([z.literal(true), namesSchema]).exactOptional(),
    /** Stored data. `true`: without its own limits. Absent: none. */
    storage: z
      .union([
        z.literal(true),
        z.strictObject({
          /** Namespaces that it may use. Defaults to all of its own. */
          namespaces: namesSchema.exactOptional(),
          /** Maximum size of its data in bytes. Defaults to the general limit. */
          maxBytes: z.int().positive().exactOptional(),
        }),
      ])
      .exactOptional(),
    /** May accept connections. Absent: no. */
    listen: z.literal(true).exactOptional(),
    /** May import system modules, which gives it all permissions of the host's process. */
    system: z.literal(true).exactOptional(),
    /**
     * Services and extension points as `id@major`, named as in the manifest (`uses` is its `dependsOn`). A key
     * missing in a grant grants those requested entries that need no approval.
     */
    uses: namesSchema.exactOptional(),
    provides: namesSchema.exactOptional(),
    contributes: namesSchema.exactOptional(),
    reads: namesSchema.exactOptional(),
  }),
);
export type CapabilitiesInfo = z.infer<typeof capabilitiesSchema>;
