import { examineFolder, type FolderConfig, splitHarmless, type TrustStore } from "@incipit/host/trust";
import { isAgreed } from "../questions/is-agreed.ts";
import type { Output } from "../output/output.ts";
import { isAtTerminal } from "../terminal/terminal-input.ts";
import { describeFolderTrust } from "./folder-text.ts";
import { coreSchema } from "../../config/core-schema.ts";

interface AskForTrustOptions {
  readonly store: TrustStore;
  readonly output: Pick<Output, "err" | "errWidth" | "hold">;
}

export async function askForTrust(config: FolderConfig, { store, output }: AskForTrustOptions): Promise<boolean> {
  const { file, layer } = config;
  if (!isAtTerminal() || file.kind !== "read" || layer === undefined || layer instanceof Error) return false;
  if (splitHarmless(layer.table).leftOut.length === 0) return false;
  const examined = examineFolder(config, { store, schema: coreSchema });
  if (examined.problem !== undefined) return false;
  output.err(describeFolderTrust(examined, { width: output.errWidth }));
  if (await isAgreed("Trust it, with what it holds now? [y/N] ", output)) {
    store.trust(examined.path, Object.fromEntries(examined.files.map(({ name, sha256 }) => [name, sha256])));
    return true;
  }
  store.decline(examined.path, file.sha256);
  return false;
}
