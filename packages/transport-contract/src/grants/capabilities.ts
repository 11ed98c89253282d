import { lazySchema } from "@incipit/schema";
import * as z from "zod";

const namesSchema = lazySchema(() => z.array(z.string()));

/** What an extension asks for, and what it was granted. `true`: all of it; absent: nothing. */
export const capabilitiesSchema = lazySchema(() =>
  z.strictObject({
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
  }),
);
export type CapabilitiesInfo = z.infer<typeof capabilitiesSchema>;
