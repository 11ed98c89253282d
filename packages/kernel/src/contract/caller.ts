import type { Grant } from "./capabilities.ts";
import { isPathWithin } from "./granted-path.ts";
import type { Trust } from "./kernel.ts";
import { KernelError } from "../failures/kernel-error.ts";

/** The extension that holds a reference to a service and makes its calls. Set by the kernel. */
export interface Caller {
  readonly extension: string;
  readonly trust: Trust;
  readonly granted: Grant;
}

/**
 * For services that read files on behalf of a caller: throws unless the caller may read the folder itself. Core
 * extensions may read any folder. `$cwd` in the grant covers any folder, as in `host.fs`. Does not resolve links.
 * @throws {KernelError} `CAPABILITY_DENIED`.
 */
export function assertCallerReads({ extension, trust, granted: { fs } }: Caller, folder: string): void {
  if (trust === "core" || fs === true) return;
  if (typeof folder !== "string")
    throw new TypeError(`Cannot have files read for "${extension}": a folder is a text`);
  const isGranted = fs?.read?.some((path) => path === "$cwd" || isPathWithin(folder, path)) ?? false;
  if (isGranted) return;
  const message = `Cannot have files of "${folder}" read for "${extension}": it may not read there itself; declare and grant fs.read of that folder`;
  throw new KernelError("CAPABILITY_DENIED", message, { extension });
}
