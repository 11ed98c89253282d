/** Regenerates the recording of the README from a real run: `bun run recording`. */
import { join } from "node:path";
import { auditScenes } from "./audit-scenes.ts";
import { terminalSvg } from "./terminal-svg.ts";

const title = "incipit audit names the byte at which a cache broke, why, and what that cost";
await Bun.write(join(import.meta.dir, "../../docs/images/audit.svg"), terminalSvg(await auditScenes(), title));
