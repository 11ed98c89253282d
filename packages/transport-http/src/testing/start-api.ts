import {
  createKernel,
  defineExtension,
  KernelError,
  type Extension,
  type ExtensionHealth,
  type JsonValue,
  type Kernel,
  type Listen,
  type Log,
} from "@incipit/kernel";
import {
  approvalsHandle,
  conversationRecordsHandle,
  conversationsHandle,
  extensionManagerHandle,
  hostDefaultsHandle,
  httpEndpointHandle,
  type ApprovalsService,
  type ConversationRecordsService,
  type ConversationsService,
  type ExtensionManager,
  type HostDefaults,
  type ManagedExtension,
} from "@incipit/service-contract";
import { createClient, errorResponseSchema, type Client, type ErrorResponse } from "@incipit/transport-contract";
import { FakeClock } from "@incipit/testkit";
import transportHttp from "../extension.ts";

export const token = "a-token-of-32-characters-or-more!";

/** Like a host: open requests may finish within 500 polls. */
const listen: Listen = {
  async http({ host, port, maxBodyBytes, fetch }) {
    const server = Bun.serve({
      hostname: host,
      port,
      maxRequestBodySize: maxBodyBytes,
      idleTimeout: 0,
      development: false,
      fetch,
    });
    const close = async (): Promise<void> => {
      for (let polls = 0; polls < 500 && server.pendingRequests > 0; polls += 1) await Bun.sleep(1);
      await server.stop(true);
    };
    return { host, port: server.port ?? 0, close };
  },
};

export interface StartOptions {
  readonly settings?: Readonly<Record<string, JsonValue>>;
  readonly defaults?: Partial<HostDefaults>;
  readonly conversations?: ConversationsService & ConversationRecordsService & Partial<ApprovalsService>;
  readonly extensions?: readonly Extension[];
}

interface FetchOptions extends Omit<RequestInit, "headers"> {
  readonly headers?: Readonly<Record<string, string>>;
}

export interface StartedApi extends AsyncDisposable {
  readonly kernel: Kernel;
  readonly clock: FakeClock;
  readonly url: string;
  readonly client: Client;
  readonly logged: { readonly message: string; readonly fields: unknown }[];
  fetch(path: string, init?: FetchOptions): Promise<Response>;
}

export async function startApi({
  settings,
  defaults,
  conversations,
  extensions = [],
}: StartOptions = {}): Promise<StartedApi> {
  const clock = new FakeClock();
  const logged: StartedApi["logged"] = [];
  const record: Log["info"] = (message, fields) => void logged.push({ message, fields });
  const refuse = (): never => {
    throw new Error("The API has no use for this");
  };
  const kernel = createKernel({
    drivers: {
      clock,
      fs: refuse,
      spawn: refuse,
      net: refuse,
      env: refuse,
      listen: () => listen,
      log: () => ({ debug: record, info: record, warn: record, error: record }),
      config: () => ({
        listen: { host: "127.0.0.1", port: 0 },
        token,
        version: "1.2.3",
        ...settings,
      }),
    },
  });
  kernel.provide(hostDefaultsHandle, {
    model: "offline/echo",
    cwd: "/",
    promptRefresh: "compaction",
    profiles: [],
    ...defaults,
  });
  kernel.provide(extensionManagerHandle, managerOf(kernel));
  const services = conversations === undefined ? [] : [provider(conversations)];
  await kernel.add([transportHttp, ...services, ...extensions].map((extension) => ({ extension })));
  const url = kernel.service(httpEndpointHandle)?.url;
  if (url === undefined) throw new Error(`The API did not start: ${JSON.stringify(kernel.list())}`);
  return {
    kernel,
    clock,
    url,
    client: createClient({ url, token }),
    logged,
    fetch: (path, init = {}) =>
      fetch(`${url}${path}`, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } }),
    [Symbol.asyncDispose]: () => clock.advanceUntil(kernel.close()),
  };
}

function managerOf(kernel: Kernel): ExtensionManager {
  const managed = (health: ExtensionHealth): ManagedExtension => ({ ...health, path: null, isCodeChanged: false });
  const get = async (id: string): Promise<ManagedExtension> => {
    const found = kernel.list().find((health) => health.id === id);
    if (found === undefined) throw new KernelError("EXTENSION_UNKNOWN", `There is no extension "${id}"`);
    return managed(found);
  };
  const refuse = (): never => {
    throw new Error("The API alone has no folders");
  };
  return {
    list: async () => kernel.list().map(managed),
    problems: async () => [],
    get,
    load: async (id) => managed(await kernel.load(id)),
    unload: async (id) => managed(await kernel.unload(id)),
    swap: (id) => kernel.swap(id),
    add: refuse,
    remove: refuse,
    deleteData: refuse,
    noteFailure: async (_id, { error }) => String(error),
  };
}

function provider(
  conversations: ConversationsService & ConversationRecordsService & Partial<ApprovalsService>,
): Extension {
  return defineExtension(
    {
      id: "acme.conversations",
      version: "1.0.0",
      api: "^1",
      provides: ["approvals@1", "conversation-records@1", "conversations@1"],
    },
    (host) => {
      host.provideService(conversationsHandle, conversations);
      host.provideService(conversationRecordsHandle, conversations);
      host.provideService(approvalsHandle, {
        async answerApproval(id, approvalId, options) {
          await conversations.answerApproval?.(id, approvalId, options);
        },
        sendAllowing: (id, request, options) => conversations.send(id, request, options),
        allowedCalls: async () => [],
        async takeBackAllowed() {},
        async answerQuestion(id, questionId, options) {
          await conversations.answerQuestion?.(id, questionId, options);
        },
      });
    },
  );
}

export async function errorOf(
  response: Response | Promise<Response>,
): Promise<ErrorResponse["error"] & { readonly status: number }> {
  const received = await response;
  return { status: received.status, ...errorResponseSchema.parse(await received.json()).error };
}
