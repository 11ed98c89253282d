import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Config, ConfigError } from "@incipit/host/configuration";
import type { LoadedConfig } from "../../config/load-config.ts";
import type { Output } from "../output/output.ts";

interface HostConfigOptions {
  readonly cwd: string;
  readonly output: Pick<Output, "err" | "errLine" | "errWidth" | "hold">;
}

/**
 * Requests trust in the working folder's configuration once per content at a terminal; reports ignored parts in a line.
 * @throws {ConfigError}
 */
export async function hostConfig(loaded: LoadedConfig, { cwd, output }: HostConfigOptions): Promise<Config> {
  // Most folders have no such file; their start need not load this code.
  if (!existsSync(join(cwd, "incipit.toml"))) return loaded.config();
  const { readFolderConfig } = await import("@incipit/host/trust");
  const { openTrustStore } = await import("@incipit/host/trust");
  const { quoted } = await import("@incipit/cli-text");
  const found = readFolderConfig(cwd);
  const { file, layer } = found;
  const name = `incipit.toml of ${quoted(found.folder)}`;
  if (file.kind === "absent") return loaded.config();
  if (file.kind === "refused") {
    output.errLine(`${name} was left out: ${file.reason}`);
    return loaded.config();
  }
  if (file.identity === identityOf(loaded.file)) return loaded.config();
  const store = openTrustStore(loaded.dataFolder, output.errLine);
  const trust = store.judge(file.path, file.sha256);
  const isTrusted =
    trust === "trusted" ||
    (!store.isDeclined(found.folder, file.sha256) &&
      (await (await import("../trust/ask-for-trust.ts")).askForTrust(found, { store, output })));
  if (isTrusted) {
    if (layer instanceof ConfigError) throw layer;
    if (layer === undefined) return loaded.config();
    const { withoutOwnKeys } = await import("@incipit/host/trust");
    const { table, leftOut } = withoutOwnKeys(layer.table);
    if (leftOut.length > 0)
      output.errLine(
        `${name}: left out ${leftOut.join(", ")}, which counts in your own file alone (${loaded.configFile})`,
      );
    return loaded.config({ ...layer, table });
  }
  const why = trust === "changed" ? "has changed since you trusted it" : "is not trusted";
  if (layer === undefined || layer instanceof ConfigError) {
    output.errLine(`${name} ${why} and has mistakes: left out as a whole ("incipit trust" names them)`);
    return loaded.config();
  }
  const { splitHarmless } = await import("@incipit/host/trust");
  const { harmless, leftOut } = splitHarmless(layer.table);
  if (leftOut.length > 0)
    output.errLine(`${name} ${why}: left out ${listed(leftOut, quoted)} ("incipit trust" shows and decides)`);
  return loaded.config({ ...layer, table: harmless });
}

const maxNames = 12;

function listed(names: readonly string[], quoted: (text: string) => string): string {
  const shown = names.slice(0, maxNames).map((name) => (/^[\w.-]{1,80}$/.test(name) ? name : quoted(name)));
  const more = names.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function identityOf(file: string | undefined): string | undefined {
  const stat = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? undefined : `${stat.dev}:${stat.ino}`;
}
