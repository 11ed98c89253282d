import type { ExtensionHealth } from "@incipit/kernel";
import { ServiceError } from "@incipit/service-contract";
import {
  conversationIdSchema,
  createConversationRequestSchema,
  createTurnRequestSchema,
  DEFAULT_TEMPLATE,
  maxTemplateBytes,
  pageQuerySchema,
  previewSystemPromptRequestSchema,
  routes,
  setSystemPromptTemplateRequestSchema,
  staticVariables,
  type ConversationId,
  type ExtensionInfo,
  type HealthResponse,
  type RouteName,
  type SystemPromptTemplateResponse,
} from "@incipit/transport-contract";
import { Hono, type Context } from "hono";
import { checkOrigin, checkToken } from "./admission.ts";
import { answerFor, errorAnswer } from "./error-answer.ts";
import { eventStream } from "./event-stream.ts";
import { openApiDocument } from "./open-api.ts";
import { check, readBody } from "./read-body.ts";
import { need, type Services } from "./services.ts";

type Handler = (context: Context) => Response | Promise<Response>;

/** The HTTP API over whatever services are loaded at the moment of a request. */
export function createApp(services: Services): Hono {
  const app = new Hono();
  const { settings, log } = services;
  const openPaths = new Set<string>(
    Object.values(routes).flatMap((route) => ("isOpen" in route ? [route.path] : [])),
  );
  app.use(checkOrigin(settings.allowedHosts));
  app.use(checkToken(settings.token, (path) => openPaths.has(path)));
  app.onError((error) => answerFor(error, log));
  for (const [name, handler] of Object.entries(handlers(services))) {
    const route = routeOf(name);
    app.on(route.method, route.path, handler);
  }
  const methodsByPath = Map.groupBy(Object.values(routes), (route) => route.path);
  for (const [path, known] of methodsByPath) {
    const methods = known.map((route) => route.method).join(", ");
    app.all(path, (context) => {
      const answer = errorAnswer(
        "METHOD_NOT_ALLOWED",
        `${context.req.method} is not for ${context.req.path}; use ${methods}`,
      );
      answer.headers.set("allow", methods);
      return answer;
    });
  }
  app.notFound((context) =>
    errorAnswer(
      "ROUTE_UNKNOWN",
      `There is no ${context.req.method} ${context.req.path}; GET /openapi.json lists what there is`,
    ),
  );
  return app;
}

function routeOf(name: string): (typeof routes)[RouteName] {
  const route = Object.entries(routes).find(([known]) => known === name)?.[1];
  if (route === undefined) throw new TypeError(`There is no route "${name}"`);
  return route;
}

function handlers(services: Services): Record<RouteName, Handler> {
  return { ...hostHandlers(services), ...promptHandlers(services), ...conversationHandlers(services) };
}

function hostHandlers(
  services: Services,
): Pick<
  Record<RouteName, Handler>,
  "getHealth" | "listModels" | "listExtensions" | "loadExtension" | "unloadExtension" | "getOpenApi"
> {
  const { settings, providers, extensions } = services;
  return {
    getHealth: () => Response.json(health(services)),
    getOpenApi: () => Response.json(openApiDocument(settings.version)),
    listModels: () => {
      const named = providers.current.flatMap(({ value }) => value.models.map((model) => `${value.id}/${model}`));
      const ids = new Set([...named, settings.defaultModel]);
      const models = [...ids].toSorted().flatMap((id) => {
        const provider = id.slice(0, id.indexOf("/"));
        const found = providers.current.find(({ value }) => value.id === provider)?.value;
        const problem = found === undefined ? `there is no provider "${provider}"` : found.problem;
        return [{ id, provider, isReady: problem === null, problem, isDefault: id === settings.defaultModel }];
      });
      return Response.json({ models });
    },
    listExtensions: () =>
      Response.json({ extensions: need(extensions, "extension control").list().map(toExtensionInfo) }),
    loadExtension: async (context) => {
      const loaded = await need(extensions, "extension control").load(param(context, "id"));
      return Response.json({ extension: toExtensionInfo(loaded) });
    },
    unloadExtension: async (context) => {
      const id = param(context, "id");
      const control = need(extensions, "extension control");
      if (id === "transport-http") {
        throw new ServiceError(
          "EXTENSION_FAILED",
          'Cannot unload "transport-http" over HTTP: nobody could load it again; stop the host instead',
        );
      }
      return Response.json({ extension: toExtensionInfo(await control.unload(id)) });
    },
  };
}

function promptHandlers(
  services: Services,
): Pick<
  Record<RouteName, Handler>,
  "getSystemPrompt" | "setSystemPrompt" | "deleteSystemPrompt" | "getSystemPromptVariables" | "previewSystemPrompt"
> {
  const { settings, systemPrompt, clock } = services;
  const current = async (): Promise<SystemPromptTemplateResponse> => {
    if (systemPrompt.current !== undefined) return systemPrompt.current.getTemplate();
    if (settings.systemPrompt !== undefined) return { template: settings.systemPrompt, source: "config" };
    return { template: DEFAULT_TEMPLATE, source: "default" };
  };
  return {
    getSystemPrompt: async () => Response.json(await current()),
    setSystemPrompt: async (context) => {
      const service = need(systemPrompt, "prompt builder");
      const { template } = await readBody(context.req.raw, setSystemPromptTemplateRequestSchema, clock);
      if (Buffer.byteLength(template) > maxTemplateBytes) {
        throw new ServiceError(
          "TEMPLATE_TOO_LARGE",
          `The template is larger than ${maxTemplateBytes} bytes; move parts of it to files ([file:PATH])`,
        );
      }
      await service.setTemplate(template);
      return Response.json({ template });
    },
    deleteSystemPrompt: async () => {
      await need(systemPrompt, "prompt builder").deleteTemplate();
      return Response.json(await current());
    },
    getSystemPromptVariables: () =>
      Response.json({ variables: systemPrompt.current?.getVariables() ?? staticVariables }),
    previewSystemPrompt: async (context) => {
      const service = need(systemPrompt, "prompt builder");
      const request = await readBody(context.req.raw, previewSystemPromptRequestSchema, clock);
      const { defaultCwd, defaultModel } = settings;
      return Response.json(
        await service.preview(request, { defaultCwd, defaultModel, signal: context.req.raw.signal }),
      );
    },
  };
}

function conversationHandlers(
  services: Services,
): Omit<
  Record<RouteName, Handler>,
  keyof ReturnType<typeof hostHandlers> | keyof ReturnType<typeof promptHandlers>
> {
  const { clock, systemPrompt } = services;
  const conversations = (): ReturnType<typeof need<NonNullable<Services["conversations"]["current"]>>> =>
    need(services.conversations, "session orchestrator");
  return {
    createConversation: async (context) => {
      const request = await readBody(context.req.raw, createConversationRequestSchema, clock);
      return Response.json({ conversation: await conversations().create(request) }, { status: 201 });
    },
    listConversations: async (context) => {
      const { items, ...rest } = await conversations().list(check(pageQuerySchema, context.req.query()));
      return Response.json({ conversations: items, ...rest });
    },
    getConversation: async (context) =>
      Response.json({ conversation: await conversations().get(conversationId(context)) }),
    listMessages: async (context) => {
      const { items, ...rest } = await conversations().messages(
        conversationId(context),
        check(pageQuerySchema, context.req.query()),
      );
      return Response.json({ messages: items, ...rest });
    },
    createTurn: async (context) => {
      const id = conversationId(context);
      const service = conversations();
      await service.get(id);
      const request = await readBody(context.req.raw, createTurnRequestSchema, clock);
      const { turnId, afterSeq } = await service.send(id, request);
      const isAsync = /(^|,)\s*respond-async\s*($|[,;])/i.test(context.req.header("prefer") ?? "");
      if (isAsync)
        return Response.json({ turnId }, { status: 202, headers: { "preference-applied": "respond-async" } });
      const abort = new AbortController();
      return eventStream(service.follow(id, { afterSeq, turnId, signal: abort.signal }), { clock, abort });
    },
    followEvents: async (context) => {
      const id = conversationId(context);
      const service = conversations();
      const { lastSeq } = await service.get(id);
      const given = context.req.header("last-event-id") ?? context.req.query("after");
      const afterSeq = given === undefined ? lastSeq : eventNumber(given, lastSeq);
      const abort = new AbortController();
      return eventStream(service.follow(id, { afterSeq, signal: abort.signal }), { clock, abort });
    },
    stopConversation: async (context) =>
      Response.json({ stopped: await conversations().stop(conversationId(context)) }),
    compactConversation: async (context) => Response.json(await conversations().compact(conversationId(context))),
    getConversationSystemPrompt: async (context) => {
      const id = conversationId(context);
      await conversations().get(id);
      return Response.json(await need(systemPrompt, "prompt builder").describe(id));
    },
    explainConversation: async (context) => {
      const id = conversationId(context);
      await conversations().get(id);
      return Response.json({ explain: await need(systemPrompt, "prompt builder").explain(id) });
    },
    listSteps: async (context) => {
      const { items, ...rest } = await conversations().steps(
        conversationId(context),
        check(pageQuerySchema, context.req.query()),
      );
      return Response.json({ steps: items, ...rest });
    },
    getStepRequest: async (context) =>
      Response.json(await conversations().stepRequest(conversationId(context), param(context, "stepId"))),
  };
}

function param(context: Context, name: string): string {
  return context.req.param(name) ?? "";
}

function conversationId(context: Context): ConversationId {
  const id = conversationIdSchema.safeParse(param(context, "id"));
  if (id.success) return id.data;
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(param(context, "id"))) {
    throw new ServiceError(
      "CONVERSATION_UNKNOWN",
      `There is no conversation "${param(context, "id")}"; GET /conversations lists them`,
    );
  }
  throw new ServiceError("INVALID_REQUEST", `"${param(context, "id")}" is no conversation id: it must be a UUID`);
}

function eventNumber(text: string, lastSeq: number): number {
  if (!/^\d{1,15}$/.test(text))
    throw new ServiceError(
      "INVALID_EVENT_ID",
      `"${text}" is no event number; send the id of an event, or 0 for all`,
    );
  const seq = Number(text);
  if (seq > lastSeq)
    throw new ServiceError("INVALID_EVENT_ID", `There is no event ${seq} yet: the newest is ${lastSeq}`);
  return seq;
}

function toExtensionInfo(health: ExtensionHealth): ExtensionInfo {
  return {
    id: health.id,
    version: health.version,
    phase: health.phase,
    generation: health.generation,
    since: new Date(health.since).toISOString(),
    provides: [...health.provides],
    waitsFor: [...health.waitsFor],
    capabilities: Object.keys(health.granted).toSorted(),
    lastError: health.lastError ?? null,
  };
}

function health({ extensions, storageReport, settings }: Services): HealthResponse {
  const broken = (extensions.current?.list() ?? []).flatMap(({ id, phase, waitsFor, lastError }) => {
    if (phase === "failed") return [`Extension "${id}" failed: ${lastError?.message ?? "no reason is known"}`];
    return phase === "waiting" ? [`Extension "${id}" waits for ${waitsFor.join(", ")}`] : [];
  });
  const setAside = (storageReport.current?.setAside() ?? []).map(
    ({ path, reason }) => `A damaged data file was set aside as "${path}" (${reason}); mend it or move it away`,
  );
  const problems = [...broken, ...setAside];
  return { status: problems.length === 0 ? "ok" : "degraded", version: settings.version, problems };
}
