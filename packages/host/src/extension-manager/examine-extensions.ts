import { KernelError } from "@incipit/kernel";
import { ServiceError } from "@incipit/service-contract";
import { errorMessage } from "../failures/error-code.ts";
import { readExtensionFolder } from "../extension-folder/read-extension-folder.ts";
import { decideGrant } from "./decide-grant.ts";
import { readInstalled, type InstalledExtension } from "./installed-extensions.ts";
import { assertSame, idOfFolder } from "./located-extension.ts";

export interface UnloadableExtension {
  readonly id: string;
  readonly path: string;
  readonly code: string;
  readonly why: string;
  /** Whether an operator added it, rather than the configuration. */
  readonly isAdded: boolean;
}

export interface WantedExtensions {
  /** `extensions.json` of the data folder. */
  readonly file: string;
  readonly paths: readonly string[];
  readonly disabled: readonly string[];
}

/** Runs no code, so failures at start are only found by running a host. */
export async function examineExtensions({
  file,
  paths,
  disabled,
}: WantedExtensions): Promise<readonly UnloadableExtension[]> {
  const added = readInstalled(file);
  const named = new Set(paths).difference(new Set(added.map(({ path }) => path)));
  const all = [...added.map((kept) => ({ path: kept.path, kept })), ...[...named].map((path) => ({ path }))];
  const found = await Promise.all(all.map((one) => examine(one, disabled)));
  return found.filter((one) => one !== undefined);
}

async function examine(
  { path, kept }: { readonly path: string; readonly kept?: InstalledExtension },
  disabled: readonly string[],
): Promise<UnloadableExtension | undefined> {
  let id = kept?.id ?? idOfFolder(path);
  try {
    const { manifest, sha256 } = await readExtensionFolder(path);
    assertSame(kept?.id, { path, id: manifest.id });
    id = manifest.id;
    if (!disabled.includes(id)) decideGrant(manifest, { sha256, given: undefined, kept, stored: 0 });
    return undefined;
  } catch (error) {
    const isGrant = ServiceError.is(error) && error.code === "GRANT_REQUIRED";
    const code = isGrant ? error.code : KernelError.is(error) ? error.code : "FOLDER_INVALID";
    if (KernelError.is(error) && error.extension !== undefined) id = error.extension;
    return { id, path, code, why: errorMessage(error), isAdded: kept !== undefined };
  }
}
