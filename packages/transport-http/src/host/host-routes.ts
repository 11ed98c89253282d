import type { ConversationId } from "@incipit/schema";
import type { ToolServer } from "@incipit/service-contract";
import { routes, type HealthResponse, type ToolServerInfo } from "@incipit/transport-contract";
import { answer } from "../answer/answer.ts";
import { extensionProblems } from "./extension-routes.ts";
import { param, type Handlers } from "../request/handler.ts";
import { listModels } from "../models/model-list.ts";
import { readBody } from "../request/read-body.ts";
import { mayUse } from "../request/caller.ts";
import type { openApiDocument } from "../openapi/open-api.ts";
import { need, type Services } from "../context/services.ts";

type HostRoute =
  | "getHealth"
  | "listModels"
  | "getConfiguration"
  | "listTrustedFolders"
  | "listToolServers"
  | "startToolServer"
  | "listResources"
  | "readResource"
  | "beginToolServerSignIn"
  | "finishToolServerSignIn"
  | "signOutOfToolServer"
  | "getOpenApi";

const askWithToken = "The host reports problems; send the token to see them";

export function hostHandlers(services: Services): Handlers<HostRoute> {
  const { settings } = services;
  let documentAt: Promise<ReturnType<typeof openApiDocument>> | undefined;
  return {
    getHealth: async (context) => {
      const { problems, ...rest } = await health(services);
      // Problems contain folder names, so callers without read access only learn that there are some.
      const told = problems.length === 0 || mayUse(context.get("caller"), "read") ? problems : [askWithToken];
      return answer(routes.getHealth, { ...rest, problems: told });
    },
    getOpenApi: async ({ req }) => {
      // The document is larger than everything that a host needs to start.
      documentAt ??= import("../openapi/open-api.ts").then((made) => made.openApiDocument(settings.version));
      return answer(routes.getOpenApi, (await documentAt)(new URL(req.url).origin));
    },
    getConfiguration: async () => {
      const keys = await need(services.configuration, "configuration to show").keys();
      return answer(routes.getConfiguration, { keys: keys.map((key) => ({ ...key, path: [...key.path] })) });
    },
    listTrustedFolders: async () => {
      const { folders, leftOut } = await need(services.trustedFolders, "list of trusted folders").list();
      const shown = folders.map(({ files, wishes, allowed, ...folder }) => ({
        ...folder,
        files: [...files],
        wishes: [...wishes],
        allowed: allowed.map((grant) => ({ ...grant, grants: [...grant.grants] })),
      }));
      return answer(routes.listTrustedFolders, { folders: shown, leftOut });
    },
    listToolServers: async () => {
      const servers = await services.toolServers.current?.list();
      return answer(routes.listToolServers, { servers: (servers ?? []).map(toServerInfo) });
    },
    startToolServer: async (context, late) => {
      const signal = AbortSignal.any([context.req.raw.signal, late]);
      const server = await need(services.toolServers, "extension for MCP servers").start(param(context, "name"), {
        signal,
      });
      return answer(routes.startToolServer, { server: toServerInfo(server) });
    },
    listResources: async (context, late) => {
      const signal = AbortSignal.any([context.req.raw.signal, late]);
      const servers = need(services.toolServers, "extension for MCP servers");
      const { resources, problems } = await servers.resources(param(context, "name"), { signal });
      return answer(routes.listResources, { resources: [...resources], problems: [...problems] });
    },
    readResource: async (context, late) => {
      const route = routes.readResource;
      const { uri, conversationId } = await readBody(context.req.raw, route.body, {
        clock: services.clock,
        signal: late,
      });
      const signal = AbortSignal.any([context.req.raw.signal, late]);
      const servers = need(services.toolServers, "extension for MCP servers");
      const place = conversationId === undefined ? {} : { place: await placeOf(services, conversationId) };
      const contents = await servers.readResource(param(context, "name"), uri, { ...place, signal });
      return answer(route, { contents: [...contents] });
    },
    beginToolServerSignIn: async (context, signal) => {
      const route = routes.beginToolServerSignIn;
      const body = await readBody(context.req.raw, route.body, { clock: services.clock, signal });
      const servers = need(services.toolServers, "extension for MCP servers");
      return answer(route, await servers.beginSignIn(param(context, "name"), body));
    },
    finishToolServerSignIn: async (context, late) => {
      const route = routes.finishToolServerSignIn;
      const { address } = await readBody(context.req.raw, route.body, { clock: services.clock, signal: late });
      const signal = AbortSignal.any([context.req.raw.signal, late]);
      const servers = need(services.toolServers, "extension for MCP servers");
      const server = await servers.finishSignIn(param(context, "name"), { address, signal });
      return answer(route, { server: toServerInfo(server) });
    },
    signOutOfToolServer: async (context) => {
      const servers = need(services.toolServers, "extension for MCP servers");
      const server = await servers.signOut(param(context, "name"));
      return answer(routes.signOutOfToolServer, { server: toServerInfo(server) });
    },
    listModels: async () => answer(routes.listModels, { models: await listModels(services) }),
  };
}

async function placeOf(
  { conversations }: Services,
  id: ConversationId,
): Promise<{ readonly cwd: string; readonly isImported: boolean }> {
  const { cwd, importedAt } = await need(conversations, "session orchestrator").get(id);
  return { cwd, isImported: importedAt !== null };
}

export function toServerInfo({ tools, problems, ...server }: ToolServer): ToolServerInfo {
  return { ...server, tools: tools === null ? null : [...tools], problems: [...problems] };
}

async function health({ extensions, storageReport, settings }: Services): Promise<HealthResponse> {
  const manager = extensions.current;
  const broken = [...extensionProblems((await manager?.list()) ?? []), ...((await manager?.problems()) ?? [])];
  const setAside = ((await storageReport.current?.setAside()) ?? []).map(
    ({ path, reason }) => `A damaged data file was set aside as "${path}" (${reason}); repair it or move it away`,
  );
  const damage = await storageReport.current?.damage();
  const inUse = damage === undefined ? [] : [`The data file is damaged (${damage}); the next start sets it aside`];
  const failure = await storageReport.current?.writeFailure();
  const unwritten =
    failure === undefined
      ? []
      : [`A write failed at ${failure.at} (${failure.reason}); data acknowledged before that is safe`];
  const problems = [...broken, ...inUse, ...unwritten, ...setAside];
  return { status: problems.length === 0 ? "ok" : "degraded", version: settings.version, problems };
}
