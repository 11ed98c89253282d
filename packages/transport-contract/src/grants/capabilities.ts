import { lazySchema } from "@incipit/schema";
import * as z from "zod";

const namesSchema = lazySchema(() => z.array(z.string()));

/** Requested or granted permissions of an extension. `true`: unrestricted; absent: none. */
export const capabilitiesSchema = lazySchema(() =>
  z.strictObject({
    fs: z
      .union([
        z.literal(true),
        z.strictObject({ read: namesSchema.exactOptional(), write: namesSchema.exactOptional() }),
      ])
      .exactOptional(),
    /** Program names. */
    spawn: z.union([z.literal(true), namesSchema]).exactOptional(),
    /** `host:port`, or `private:host:port`. */
    net: z.union([z.literal(true), namesSchema]).exactOptional(),
    /** Variable names. */
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
