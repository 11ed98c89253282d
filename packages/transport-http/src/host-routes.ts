import { routes, type HealthResponse } from "@incipit/transport-contract";
import { answer } from "./answer.ts";
import { extensionProblems } from "./extension-routes.ts";
import type { Handlers } from "./handler.ts";
import { listModels } from "./model-list.ts";
import { modelProblem } from "./model-problem.ts";
import { openApiDocument } from "./open-api.ts";
import type { Services } from "./services.ts";

type HostRoute = "getHealth" | "listModels" | "listProfiles" | "getOpenApi";

export function hostHandlers(services: Services): Handlers<HostRoute> {
  const { settings, providers } = services;
  return {
    getHealth: async () => answer(routes.getHealth, await health(services)),
    getOpenApi: () => answer(routes.getOpenApi, openApiDocument(settings.version)),
    listProfiles: () => {
      const profiles = Object.entries(settings.profiles).map(([name, { model, hasSystemPrompt }]) => ({
        name,
        model: model ?? null,
        hasSystemPrompt,
        problem: modelProblem(providers, model ?? settings.defaultModel),
      }));
      return answer(routes.listProfiles, { profiles });
    },
    listModels: async () => answer(routes.listModels, { models: await listModels(services) }),
  };
}

async function health({ extensions, storageReport, settings }: Services): Promise<HealthResponse> {
  const manager = extensions.current;
  const broken = [...extensionProblems((await manager?.list()) ?? []), ...((await manager?.problems()) ?? [])];
  const setAside = ((await storageReport.current?.setAside()) ?? []).map(
    ({ path, reason }) => `A damaged data file was set aside as "${path}" (${reason}); mend it or move it away`,
  );
  const damage = await storageReport.current?.damage();
  const inUse = damage === undefined ? [] : [`The data file is damaged (${damage}); the next start sets it aside`];
  const failure = await storageReport.current?.writeFailure();
  const unwritten =
    failure === undefined
      ? []
      : [`A write failed at ${failure.at} (${failure.reason}); what was acknowledged before is kept`];
  const problems = [...broken, ...inUse, ...unwritten, ...setAside];
  return { status: problems.length === 0 ? "ok" : "degraded", version: settings.version, problems };
}
