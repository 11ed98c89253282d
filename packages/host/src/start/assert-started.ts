import { storageDriverHandle, type Kernel, type KernelErrorCode } from "@incipit/kernel";
import { httpEndpointHandle } from "@incipit/service-contract";
import { HostStartError } from "./host-start-error.ts";

const needed = [storageDriverHandle, httpEndpointHandle];

/** @throws {HostStartError} */
export function assertStarted(
  kernel: Kernel,
  {
    redact,
    storageDriver,
  }: { readonly redact: (text: string) => string; readonly storageDriver: string | undefined },
): void {
  const health = kernel.list();
  const unreadable = health.find(({ lastError }) => isUnreadable(lastError?.code));
  if (unreadable?.lastError !== undefined) throw new HostStartError(redact(unreadable.lastError.message));
  const isMissing = needed.some(
    (handle) =>
      kernel.service<object>(handle) === undefined &&
      health.some(({ provides, phase }) => phase !== "stopped" && provides.includes(handle.id)),
  );
  // An extension that could not be loaded from its folder does not list what it would provide.
  const isDriverMissing = storageDriver !== undefined && kernel.service(storageDriverHandle) === undefined;
  if (!isMissing && !isDriverMissing) return;
  const reasons = health.flatMap(({ phase, lastError }) => (phase === "failed" ? (lastError?.message ?? []) : []));
  throw new HostStartError(redact(reasons.join("\n")) || whyNot(storageDriver));
}

/** Stored data exists in another version. */
function isUnreadable(code: KernelErrorCode | undefined): boolean {
  return code === "SCHEMA_NEWER" || code === "MIGRATION_FAILED";
}

function whyNot(storageDriver: string | undefined): string {
  if (storageDriver === undefined) return "The host did not start, and no extension reported an error";
  return `The host did not start: the storage driver "${storageDriver}" does not provide "${storageDriverHandle.id}"`;
}
