import type { Grant } from "./capabilities.ts";
import type { Trust } from "./kernel.ts";

/** Who holds a reference to a service: what comes through it is that extension's call. Said by the kernel. */
export interface Caller {
  readonly extension: string;
  readonly trust: Trust;
  readonly granted: Grant;
}
