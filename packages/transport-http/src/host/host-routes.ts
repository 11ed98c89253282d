import type { ConversationId } from "@incipit/schema";
import type { ToolServer } from "@incipit/service-contract";
import type { HealthResponse, ToolServerInfo } from "@incipit/transport-contract";
import { extensionProblems } from "./extension-routes.ts";
import type { Handlers } from "../request/route-call.ts";
import { listModels } from "../models/model-list.ts";
import { mayUse } from "../request/caller.ts";
import type { openApiDocument } from "../openapi/open-api.ts";
import { need, type Services } from "../context/services.ts";

const askWithToken = "The host reports problems; send the token to see them";

export function hostHandlers(services: Services) {
  const { settings } = services;
  const toolServers = () => need(services.toolServers, "extension for MCP servers");
  let documentAt: Promise<ReturnType<typeof openApiDocument>> | undefined;
  return {
    getHealth: async (call) => {
      const { problems, ...rest } = await health(services);
      // Problems contain folder names, so callers without read access only learn that there are some.
      const told = problems.length === 0 || mayUse(call.caller, "read") ? problems : [askWithToken];
      return call.answer({ ...rest, problems: told });
    },
    getOpenApi: async (call) => {
      // The document is larger than everything that a host needs to start.
      documentAt ??= import("../openapi/open-api.ts").then((made) => made.openApiDocument(settings.version));
      return call.answer((await documentAt)(new URL(call.context.req.url).origin));
    },
    getConfiguration: async (call) => {
      const keys = await need(services.configuration, "configuration to show").keys();
      return call.answer({ keys: keys.map((key) => ({ ...key, path: [...key.path] })) });
    },
    listTrustedFolders: async (call) => {
      const { folders, leftOut } = await need(services.trustedFolders, "list of trusted folders").list();
      const shown = folders.map(({ files, wishes, allowed, ...folder }) => ({
        ...folder,
        files: [...files],
        wishes: [...wishes],
        allowed: allowed.map((grant) => ({ ...grant, grants: [...grant.grants] })),
      }));
      return call.answer({ folders: shown, leftOut });
    },
    listToolServers: async (call) => {
      const servers = await services.toolServers.current?.list();
      return call.answer({ servers: (servers ?? []).map(toServerInfo) });
    },
    startToolServer: async (call) => {
      const server = await toolServers().start(call.param("name"), { signal: call.signal });
      return call.answer({ server: toServerInfo(server) });
    },
    listResources: async (call) => {
      const { resources, problems } = await toolServers().resources(call.param("name"), { signal: call.signal });
      return call.answer({ resources: [...resources], problems: [...problems] });
    },
    readResource: async (call) => {
      const { uri, conversationId } = await call.body();
      const servers = toolServers();
      const place = conversationId === undefined ? {} : { place: await placeOf(services, conversationId) };
      const contents = await servers.readResource(call.param("name"), uri, { ...place, signal: call.signal });
      return call.answer({ contents: [...contents] });
    },
    beginToolServerSignIn: async (call) => {
      const body = await call.body();
      return call.answer(await toolServers().beginSignIn(call.param("name"), body));
    },
    finishToolServerSignIn: async (call) => {
      const { address } = await call.body();
      const server = await toolServers().finishSignIn(call.param("name"), { address, signal: call.signal });
      return call.answer({ server: toServerInfo(server) });
    },
    signOutOfToolServer: async (call) => {
      const server = await toolServers().signOut(call.param("name"));
      return call.answer({ server: toServerInfo(server) });
    },
    listModels: async (call) => call.answer({ models: await listModels(services) }),
  } satisfies Partial<Handlers>;
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
