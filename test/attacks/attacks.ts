import { join } from "node:path";

const table = await Bun.file(join(import.meta.dir, "attacks.md")).text();

export const attackIds: readonly string[] = [...table.matchAll(/^\| `([a-z0-9-]+)` \|/gm)].map(([, id = ""]) => id);
