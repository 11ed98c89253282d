import type { ExtensionHealth, SwapReport } from "@incipit/kernel";
import { ServiceError, type ExtensionManager, type ManagedExtension } from "@incipit/service-contract";
import { capabilitiesSchema, routes, type ExtensionInfo, type SwapReportInfo } from "@incipit/transport-contract";
import { answer } from "../answer/answer.ts";
import { param, type Handlers } from "../request/handler.ts";
import { readBody } from "../request/read-body.ts";
import { need, type Services } from "../context/services.ts";

type ExtensionRoute =
  | "listExtensions"
  | "getExtension"
  | "addExtension"
  | "removeExtension"
  | "deleteExtensionData"
  | "loadExtension"
  | "unloadExtension"
  | "swapExtension";

export function extensionHandlers(services: Services): Handlers<ExtensionRoute> {
  const { clock } = services;
  const manager = (): ExtensionManager => need(services.extensions, "extension manager");
  const refuseOwn = (id: string, what: string): void => {
    if (id !== services.id) return;
    const message = `Cannot ${what} "${id}" over HTTP: it could not be loaded again that way; stop the host, or swap it`;
    throw new ServiceError("EXTENSION_REFUSED", message);
  };
  return {
    listExtensions: async () =>
      answer(routes.listExtensions, { extensions: (await manager().list()).map(toExtensionInfo) }),
    getExtension: async (context) =>
      answer(routes.getExtension, { extension: toExtensionInfo(await manager().get(param(context, "id"))) }),
    addExtension: async (context, signal) => {
      const { path, ...options } = await readBody(context.req.raw, routes.addExtension.body, { clock, signal });
      return answer(routes.addExtension, { extension: toExtensionInfo(await manager().add(path, options)) });
    },
    removeExtension: async (context) => {
      const { extension, stored } = await manager().remove(param(context, "id"));
      return answer(routes.removeExtension, { extension: toExtensionInfo(extension), stored });
    },
    deleteExtensionData: async (context) => {
      await manager().deleteData(param(context, "id"));
      return answer(routes.deleteExtensionData, { deleted: true });
    },
    loadExtension: async (context) =>
      answer(routes.loadExtension, { extension: toExtensionInfo(await manager().load(param(context, "id"))) }),
    unloadExtension: async (context) => {
      const id = param(context, "id");
      refuseOwn(id, "unload");
      return answer(routes.unloadExtension, { extension: toExtensionInfo(await manager().unload(id)) });
    },
    swapExtension: async (context, signal) => {
      const request = await readBody(context.req.raw, routes.swapExtension.body, {
        clock,
        signal,
        isOptional: true,
      });
      return answer(routes.swapExtension, toSwapInfo(await manager().swap(param(context, "id"), request)));
    },
  };
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
