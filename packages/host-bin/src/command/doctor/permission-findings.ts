import { shellWord } from "@incipit/cli-text";
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "./finding.ts";

interface Private {
  readonly path: string;
  readonly name: string;
  readonly forbidden: number;
  readonly because: string;
  readonly change: string;
}

export function permissionFindings({
  dataFolder,
  file,
}: {
  readonly dataFolder: string;
  readonly file: string | undefined;
}): readonly Finding[] {
  const all: readonly Private[] = [
    {
      path: dataFolder,
      name: "the data folder",
      forbidden: 0o007,
      because: "every user of this machine can open it",
      change: "o-rwx",
    },
    {
      path: join(dataFolder, "token"),
      name: "the host's own token",
      forbidden: 0o077,
      because: "others can read it, and do everything with the host",
      change: "go-rwx",
    },
    ...(file === undefined
      ? []
      : [
          {
            path: file,
            name: "the configuration",
            forbidden: 0o022,
            because: "others can write what the host starts and where keys go",
            change: "go-w",
          },
        ]),
  ];
  const findings = all.flatMap((one) => findingOf(one));
  return findings.length > 0
    ? findings
    : [{ check: "permissions", status: "ok", what: "what is yours alone is kept so" }];
}

function findingOf({ path, name, forbidden, because, change }: Private): readonly Finding[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined || process.getuid === undefined || (stat.mode & forbidden) === 0) return [];
  const mode = (stat.mode & 0o777).toString(8);
  return [
    {
      check: "permissions",
      status: "wrong",
      what: `${name} has the mode ${mode}: ${because}`,
      where: path,
      fix: `chmod ${change} ${shellWord(path)}`,
    },
  ];
}
