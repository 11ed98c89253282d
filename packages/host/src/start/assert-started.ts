import { storageDriverHandle, type Kernel, type KernelErrorCode } from "@incipit/kernel";
import { httpEndpointHandle } from "@incipit/service-contract";
import { HostStartError } from "./host-start-error.ts";

/** Without which nobody could use a host that has it, or would take what is stored for lost. */
const needed = [storageDriverHandle, httpEndpointHandle];

/** @throws {HostStartError} for a host that would look as if nothing had ever been stored, or that nobody could reach. */
export function assertStarted(kernel: Kernel, redact: (text: string) => string): void {
  const health = kernel.list();
  const unreadable = health.find(({ lastError }) => isUnreadable(lastError?.code));
  if (unreadable?.lastError !== undefined) throw new HostStartError(redact(unreadable.lastError.message));
  const isMissing = needed.some(
    (handle) =>
      kernel.service<object>(handle) === undefined &&
      health.some(({ provides, phase }) => phase !== "stopped" && provides.includes(handle.id)),
  );
  if (!isMissing) return;
  const reasons = health.flatMap(({ phase, lastError }) => (phase === "failed" ? (lastError?.message ?? []) : []));
  throw new HostStartError(redact(reasons.join("\n")) || "The host did not start, and no extension says why");
}

/** Whether what an extension has stored is there, and of another version. */
function isUnreadable(code: KernelErrorCode | undefined): boolean {
  return code === "SCHEMA_NEWER" || code === "MIGRATION_FAILED";
}
