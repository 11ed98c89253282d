import type { ExtensionHealth } from "@incipit/kernel";
import { ServiceError } from "@incipit/service-contract";
import { routes, type ExtensionInfo, type HealthResponse } from "@incipit/transport-contract";
import { answer } from "./answer.ts";
import { param, type Handlers } from "./handler.ts";
import { openApiDocument } from "./open-api.ts";
import { need, type Services } from "./services.ts";

type HostRoute = "getHealth" | "listModels" | "listExtensions" | "loadExtension" | "unloadExtension" | "getOpenApi";

export function hostHandlers(services: Services): Handlers<HostRoute> {
  const { settings, providers } = services;
  const control = (): NonNullable<typeof services.extensions.current> =>
    need(services.extensions, "extension control");
  return {
    getHealth: async () => answer(routes.getHealth, await health(services)),
    getOpenApi: () => answer(routes.getOpenApi, openApiDocument(settings.version)),
    listModels: () => {
      const named = providers.current.flatMap(({ value }) => value.models.map((model) => `${value.id}/${model}`));
      const ids = new Set([...named, settings.defaultModel]);
      const models = [...ids].toSorted().map((id) => {
        const provider = id.slice(0, id.indexOf("/"));
        const found = providers.current.find(({ value }) => value.id === provider)?.value;
        const problem = found === undefined ? `there is no provider "${provider}"` : found.problem;
        return { id, provider, isReady: problem === null, problem, isDefault: id === settings.defaultModel };
      });
      return answer(routes.listModels, { models });
    },
    listExtensions: () => answer(routes.listExtensions, { extensions: control().list().map(toExtensionInfo) }),
    loadExtension: async (context) => {
      const loaded = await control().load(param(context, "id"));
      return answer(routes.loadExtension, { extension: toExtensionInfo(loaded) });
    },
    unloadExtension: async (context) => {
      const id = param(context, "id");
      if (id === services.id) {
        throw new ServiceError(
          "EXTENSION_FAILED",
          `Cannot unload "${id}" over HTTP: nobody could load it again; stop the host instead`,
        );
      }
      return answer(routes.unloadExtension, { extension: toExtensionInfo(await control().unload(id)) });
    },
  };
}

function toExtensionInfo(extension: ExtensionHealth): ExtensionInfo {
  const { id, version, phase, generation, since, provides, waitsFor, granted, lastError = null } = extension;
  return {
    id,
    version,
    phase,
    generation,
    since: new Date(since).toISOString(),
    provides: [...provides],
    waitsFor: [...waitsFor],
    capabilities: Object.keys(granted).toSorted(),
    lastError,
  };
}

async function health({ extensions, storageReport, settings }: Services): Promise<HealthResponse> {
  const broken = (extensions.current?.list() ?? []).flatMap(({ id, phase, waitsFor, lastError }) => {
    if (phase === "failed") return [`Extension "${id}" failed: ${lastError?.message ?? "no reason is known"}`];
    return phase === "waiting" ? [`Extension "${id}" waits for ${waitsFor.join(", ")}`] : [];
  });
  const setAside = ((await storageReport.current?.setAside()) ?? []).map(
    ({ path, reason }) => `A damaged data file was set aside as "${path}" (${reason}); mend it or move it away`,
  );
  const problems = [...broken, ...setAside];
  return { status: problems.length === 0 ? "ok" : "degraded", version: settings.version, problems };
}
