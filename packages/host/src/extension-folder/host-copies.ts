import * as kernel from "@incipit/kernel";
import * as schema from "@incipit/schema";
import * as serviceContract from "@incipit/service-contract";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import * as zod from "zod";

/** Classes, handles and schemas are identical on both sides. */
export const hostCopies: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["@incipit/kernel", kernel],
  ["@incipit/schema", schema],
  ["@incipit/service-contract", serviceContract],
  ["zod", zod],
]);

/** Not zod, if the importer has its own installed. */
export function usesHostCopy(module: string, importer: string): boolean {
  return hostCopies.has(module) && (module !== "zod" || !isInstalled(module, dirname(importer)));
}

function isInstalled(module: string, folder: string): boolean {
  if (existsSync(join(folder, "node_modules", module, "package.json"))) return true;
  const above = dirname(folder);
  return above !== folder && isInstalled(module, above);
}
