import type { Grant } from "./capabilities.ts";
import { isPathWithin } from "./granted-path.ts";
import type { Trust } from "./kernel.ts";
import { KernelError } from "../failures/kernel-error.ts";

/** Who holds a reference to a service: what comes through it is that extension's call. Said by the kernel. */
export interface Caller {
  readonly extension: string;
  readonly trust: Trust;
  readonly granted: Grant;
}

/**
 * For a service that reads files for whoever calls: a caller that is no part of the host names no folder in which it may not
 * read by itself. `$cwd` in its grant is any folder, as it is for `host.fs`; where links lead is not known here.
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
