import type { ExtensionHealth, SwapReport } from "@incipit/kernel";
import { ServiceError, type ManagedExtension } from "@incipit/service-contract";
import { capabilitiesSchema, type ExtensionInfo, type SwapReportInfo } from "@incipit/transport-contract";
import type { Handlers } from "../request/route-call.ts";
import { need, type Services } from "../context/services.ts";

export function extensionHandlers(services: Services) {
  const manager = () => need(services.extensions, "extension manager");
  const refuseOwn = (id: string, what: string): void => {
    if (id !== services.id) return;
    const message = `Cannot ${what} "${id}" over HTTP: it could not be loaded again that way; stop the host, or swap it`;
    throw new ServiceError("EXTENSION_REFUSED", message);
  };
  return {
    listExtensions: async (call) => call.answer({ extensions: (await manager().list()).map(toExtensionInfo) }),
    getExtension: async (call) =>
      call.answer({ extension: toExtensionInfo(await manager().get(call.param("id"))) }),
    addExtension: async (call) => {
      const { path, ...options } = await call.body();
      return call.answer({ extension: toExtensionInfo(await manager().add(path, options)) });
    },
    removeExtension: async (call) => {
      const { extension, stored } = await manager().remove(call.param("id"));
      return call.answer({ extension: toExtensionInfo(extension), stored });
    },
    deleteExtensionData: async (call) => {
      await manager().deleteData(call.param("id"));
      return call.answer({ deleted: true });
    },
    loadExtension: async (call) =>
      call.answer({ extension: toExtensionInfo(await manager().load(call.param("id"))) }),
    unloadExtension: async (call) => {
      const id = call.param("id");
      refuseOwn(id, "unload");
      return call.answer({ extension: toExtensionInfo(await manager().unload(id)) });
    },
    swapExtension: async (call) => {
      const request = await call.body({ isOptional: true });
      return call.answer(toSwapInfo(await manager().swap(call.param("id"), request)));
    },
  } satisfies Partial<Handlers>;
}

export function extensionProblems(extensions: readonly ExtensionHealth[]): readonly string[] {
  return extensions.flatMap(({ id, phase, waitsFor, lastError, damage }) => {
    const damaged =
      damage === undefined
        ? []
        : [`Extension "${id}" has damaged records (${damage.count} found): ${damage.first}`];
    if (phase === "failed")
      return [`Extension "${id}" failed: ${lastError?.message ?? "no reason is known"}`, ...damaged];
    return phase === "waiting" ? [`Extension "${id}" waits for ${waitsFor.join(", ")}`, ...damaged] : damaged;
  });
}

function toExtensionInfo(extension: ManagedExtension): ExtensionInfo {
  const { refusals, lastSwap } = extension;
  return {
    id: extension.id,
    version: extension.version,
    trust: extension.trust,
    path: extension.path,
    isCodeChanged: extension.isCodeChanged,
    phase: extension.phase,
    generation: extension.generation,
    since: new Date(extension.since).toISOString(),
    provides: [...extension.provides],
    requires: [...extension.requires],
    uses: [...extension.uses],
    contributes: [...extension.contributes],
    reads: [...extension.reads],
    waitsFor: [...extension.waitsFor],
    usedBy: [...extension.usedBy],
    callsInFlight: extension.callsInFlight,
    draining: extension.draining ?? null,
    asked: capabilitiesSchema.parse(extension.asked),
    granted: capabilitiesSchema.parse(extension.granted),
    refusals: {
      count: refusals.count,
      latest: refusals.latest.map((refusal) => ({ ...refusal, at: new Date(refusal.at).toISOString() })),
    },
    lastError: extension.lastError ?? null,
    lastSwap: lastSwap === undefined ? null : toSwapInfo(lastSwap),
  };
}

function toSwapInfo(report: SwapReport): SwapReportInfo {
  return { ...report, at: new Date(report.at).toISOString() };
}
