import { realpathSync, statSync } from "node:fs";
import { ClosedFolder } from "@incipit/host/data-folder";
import { UsageError } from "../registry/usage-error.ts";

/** Other commands may run in any folder. */
const working: ReadonlySet<string> = new Set(["serve", "chat", "ask"]);

export async function refuseDataFolder(
  command: string,
  { isNamed, cwd, dataFolder }: { readonly isNamed: boolean; readonly cwd: string; readonly dataFolder: string },
): Promise<void> {
  if (!isNamed && !working.has(command)) return;
  if (statSync(dataFolder, { throwIfNoEntry: false }) === undefined) return;
  if (!(await new ClosedFolder(realpathSync(dataFolder)).holds(realpathSync(cwd)))) return;
  const message = `Cannot work in "${cwd}": the host keeps its token and its data there; name another folder (--cwd DIR)`;
  throw new UsageError(message);
}
