import { realpathSync, statSync } from "node:fs";
import { ClosedFolder } from "@incipit/host/data-folder";
import { UsageError, type Arguments } from "./arguments.ts";

/** Other commands may run in any folder. */
const working: ReadonlySet<string> = new Set(["serve", "chat", "ask"]);

export async function refuseDataFolder(
  { command, cwd: given }: Arguments,
  { cwd, dataFolder }: { readonly cwd: string; readonly dataFolder: string },
): Promise<void> {
  if (given === undefined && !working.has(command)) return;
  if (statSync(dataFolder, { throwIfNoEntry: false }) === undefined) return;
  if (!(await new ClosedFolder(realpathSync(dataFolder)).holds(realpathSync(cwd)))) return;
  const message = `Cannot work in "${cwd}": the host keeps its token and its data there; name another folder (--cwd DIR)`;
  throw new UsageError(message);
}
