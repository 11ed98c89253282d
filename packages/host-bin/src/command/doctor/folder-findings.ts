import { shellWord } from "@incipit/cli-text";
import { type Config, Configured, ConfigError } from "@incipit/host/configuration";
import { openTrustStore, readFolderConfig } from "@incipit/host/trust";
import { existsSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { coreSchema } from "../../config/core-schema.ts";
import type { Finding } from "./finding.ts";

export function programFindings(
  config: Config,
  { env }: { readonly env: Readonly<Record<string, string | undefined>> },
): readonly Finding[] {
  const configured = new Configured(config, coreSchema.extensions);
  return coreSchema.extensions.flatMap((extension) =>
    extension.manifest.id !== "mcp-tools"
      ? []
      : (configured.needs(extension).programs ?? []).flatMap(({ name, variables }): readonly Finding[] => {
          const path = isAbsolute(name) ? name : Bun.which(name, { PATH: env["PATH"] ?? "" });
          const isThere = path !== null && existsSync(path);
          const program: Finding = isThere
            ? { check: "mcp", status: "ok", what: `the program "${name}" is there`, where: path }
            : {
                check: "mcp",
                status: "wrong",
                what: `the program "${name}" of a server is not on this machine`,
                fix: `install it, or take its [mcp.servers.NAME] out (incipit mcp lists them)`,
              };
          const unset = variables.filter(({ name: variable }) => (env[variable] ?? "") === "");
          return [
            program,
            ...unset.map(({ name: variable }): Finding => ({
              check: "mcp",
              status: "note",
              what: `${variable} is not set: the server that runs "${name}" starts without it`,
              fix: `export ${variable}=…`,
            })),
          ];
        }),
  );
}

export function trustFindings({
  cwd,
  dataFolder,
  file: own,
}: {
  readonly cwd: string;
  readonly dataFolder: string;
  readonly file: string | undefined;
}): readonly Finding[] {
  const { folder, file, layer } = readFolderConfig(cwd);
  const check = "trust";
  if (file.kind === "absent")
    return [{ check, status: "ok", what: "this folder has no incipit.toml", where: folder }];
  if (file.kind === "refused")
    return [{ check, status: "wrong", what: `its incipit.toml is left out: ${file.reason}`, where: folder }];
  if (isSame(file.path, own)) return [{ check, status: "ok", what: "its incipit.toml is your own", where: folder }];
  if (layer instanceof ConfigError)
    return [
      {
        check,
        status: "wrong",
        what: `its incipit.toml has mistakes: ${layer.message}`,
        where: file.path,
        fix: "incipit trust",
      },
    ];
  // Opening the store must not create the data folder.
  const problems: string[] = [];
  const trust = existsSync(dataFolder)
    ? openTrustStore(dataFolder, (text) => problems.push(text)).judge(file.path, file.sha256)
    : "not-trusted";
  const damaged = problems.map((what): Finding => ({ check, status: "wrong", what, where: dataFolder }));
  if (trust === "trusted")
    return [...damaged, { check, status: "ok", what: "its incipit.toml is trusted", where: file.path }];
  const what =
    trust === "changed"
      ? "its incipit.toml has changed since you trusted it, and is left out"
      : "its incipit.toml is not trusted, and is left out";
  return [
    ...damaged,
    { check, status: "note", what, where: file.path, fix: `incipit trust add ${shellWord(folder)}` },
  ];
}

function isSame(path: string, own: string | undefined): boolean {
  const [one, other] = [path, own].map((file) =>
    file === undefined ? undefined : statSync(file, { throwIfNoEntry: false }),
  );
  return one !== undefined && other !== undefined && one.dev === other.dev && one.ino === other.ino;
}
