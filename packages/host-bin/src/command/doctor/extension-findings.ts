import type { Config } from "@incipit/host/configuration";
import { DataFolder } from "@incipit/host/data-folder";
import { brokenExtensions, mendOf, type BrokenExtension } from "@incipit/cli-text";
import type { ExtensionInfo } from "@incipit/transport-contract";
import { join } from "node:path";
import type { Finding } from "./finding.ts";

export function extensionFindings(extensions: readonly ExtensionInfo[]): readonly Finding[] {
  return brokenExtensions(extensions).map(findingOf);
}

export async function folderExtensionFindings(
  dataFolder: string,
  { extensions: { paths, disabled } }: Config,
): Promise<readonly Finding[]> {
  const state = DataFolder.look(dataFolder);
  if (state.kind !== "free") return [];
  const file = join(dataFolder, "extensions.json");
  try {
    const { examineExtensions } = await import("@incipit/host/extension-folder");
    const unloadable = await examineExtensions({ file, paths, disabled });
    return unloadable.map((one) => findingOf({ ...one, mend: mendOf(one.id, one) }));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const what = `the list of added extensions cannot be read: ${why}`;
    const fix = "repair that file; a host sets it aside, and the extensions have to be added again";
    return [{ check: "extensions", status: "wrong", what, where: file, fix }];
  }
}

function findingOf({ id, path, code, why, mend }: Omit<BrokenExtension, "mayHaveTools">): Finding {
  const name = path === null ? `the built-in extension "${id}"` : `"${id}"`;
  const reason = why.replaceAll(/:\n\s*/g, ": ").replaceAll(/\n\s*/g, "; "); // The compiler prints a line per mistake.
  return {
    check: "extensions",
    status: "wrong",
    what: `${name} did not start (${code}): ${reason}`,
    where: path ?? undefined,
    fix: mend,
  };
}
