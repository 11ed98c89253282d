import { DeadlineError, withDeadline } from "@incipit/kernel";
import { ServiceError } from "@incipit/service-contract";
import { routes, type Route, type RouteName } from "@incipit/transport-contract";
import { HonoBase } from "hono/hono-base";
import { TrieRouter } from "hono/router/trie-router";
import { AllowedOrigins } from "./request/allowed-origins.ts";
import { shareWith } from "./request/cross-origin.ts";
import { admissionCheck, admit, refusalFor } from "./request/admission.ts";
import { accessSignal, type ApiEnv } from "./request/caller.ts";
import { checkOrigin } from "./request/check-origin.ts";
import { callHandlers } from "./conversations/call-routes.ts";
import { chatHandlers } from "./chat/chat-routes.ts";
import { extensionHandlers } from "./host/extension-routes.ts";
import { offeredServerHandlers } from "./host/offered-server-routes.ts";
import { conversationHandlers } from "./conversations/conversation-routes.ts";
import { anthropicErrors } from "./answer/anthropic-errors.ts";
import { answerFor, errorAnswer } from "./answer/error-answer.ts";
import { RouteCall, type Handler, type Handlers } from "./request/route-call.ts";
import { hostHandlers } from "./host/host-routes.ts";
import { openAiErrors } from "./answer/openai-errors.ts";
import { messageHandlers } from "./messages/message-routes.ts";
import { OpenStreams } from "./stream/open-streams.ts";
import { pageHandlers } from "./page/page-routes.ts";
import { servePage } from "./page/serve-page.ts";
import { skillHandlers } from "./skills/skill-routes.ts";
import { profileHandlers } from "./profiles/profile-routes.ts";
import { promptHandlers } from "./prompts/prompt-routes.ts";
import type { PageSessions } from "./request/page-sessions.ts";
import { checkBodySize } from "./request/read-body.ts";
import { fileChangeHandlers } from "./conversations/file-change-routes.ts";
import { recordHandlers } from "./conversations/record-routes.ts";
import type { Services } from "./context/services.ts";
import { channelHandlers } from "./channels/channel-routes.ts";
import { clientConversationHandlers } from "./responses/client-conversation-routes.ts";
import { responseHandlers, type ResponsesOptions } from "./responses/response-routes.ts";
import { scheduleHandlers } from "./schedules/schedule-routes.ts";
import { streamTicketsOf } from "./request/stream-tickets.ts";
import { whileAllowed } from "./request/while-allowed.ts";
import { templateHandlers } from "./prompts/template-routes.ts";
import { tokenHandlers } from "./tokens/token-routes.ts";
import type { MiddlewareHandler } from "hono";

/** Compaction waits for a model; the connection stays open a little longer. */
const answerTimeoutMs = 240_000;

/** Removing a replacement restores the built-in generation. */
const swapRoutes: ReadonlySet<string> = new Set<RouteName>(["swapExtension", "removeExtension"]);

/** Their answer reports the end of the caller's own token or session. */
const endingRoutes: ReadonlySet<string> = new Set<RouteName>(["revokeToken", "signIn", "signOut"]);

/** Uses the services loaded at the time of each request. */
export function createApp(
  services: Services,
  { sessions, ...responses }: ResponsesOptions & { readonly sessions: PageSessions },
): HonoBase<ApiEnv> {
  // The only router needed; Hono's default loads three.
  const app = new HonoBase<ApiEnv>({ router: new TrieRouter() });
  const { settings, log, clock } = services;
  const allowedOrigins = new AllowedOrigins(settings.allowedOrigins);
  const tickets = streamTicketsOf(settings.token);
  const admissionOf = admissionCheck({
    token: settings.token,
    sessions,
    accessTokens: services.accessTokens,
    tickets,
    clock,
  });
  const open = new Set<string>(
    Object.values<Route>(routes).flatMap(({ access, method, path }) =>
      access === "open" ? [`${method} ${path}`] : [],
    ),
  );
  const linesPaths = new Set<string>(
    Object.values<Route>(routes).flatMap((route) => (route.bodyLines === undefined ? [] : [route.path])),
  );
  app.use("/v1/*", openAiErrors());
  app.use("/v1/messages/*", anthropicErrors());
  app.use(checkOrigin({ allowedHosts: settings.allowedHosts, allowedOrigins, port: services.port }));
  app.use(shareWith(allowedOrigins));
  app.use(servePage(services.pageFiles));
  app.use(noStore());
  app.use(
    admit({
      log,
      admissionOf,
      isOpen: ({ method, path }) => open.has(`${method === "HEAD" ? "GET" : method} ${path}`),
    }),
  );
  app.use(checkBodySize((path) => linesPaths.has(path)));
  app.onError((error, { req }) => answerFor(error, { log, method: req.method, path: req.path }));

  const handlers: Handlers = {
    ...hostHandlers(services),
    ...pageHandlers(services, sessions),
    ...extensionHandlers(services),
    ...tokenHandlers(services, tickets),
    ...promptHandlers(services),
    ...profileHandlers(services),
    ...skillHandlers(services),
    ...templateHandlers(services),
    ...chatHandlers(services),
    ...messageHandlers(services),
    ...responseHandlers(services, responses),
    ...clientConversationHandlers(services, responses),
    ...callHandlers(services),
    ...recordHandlers(services),
    ...fileChangeHandlers(services),
    ...scheduleHandlers(services),
    ...channelHandlers(services),
    ...offeredServerHandlers(services),
    ...conversationHandlers(services, new OpenStreams(services)),
  };
  const handlerByName = new Map<string, Handler>(Object.entries(handlers));
  for (const [name, route] of Object.entries<Route>(routes)) {
    const handler = handlerByName.get(name);
    if (handler === undefined) throw new TypeError(`Nothing answers the route "${name}"`);
    app.on(route.method, pathOf(route), async (context) => {
      const asked = { req: context.req, caller: context.get("caller") };
      const refusal = refusalFor(asked, route.access) ?? refusalFor(asked, route.alsoNeeds ?? "open");
      if (refusal !== undefined) return refusal;
      const late = new AbortController();
      const work = (): Promise<Response> => {
        const answer = withDeadline(
          async () => handler(new RouteCall(context, { route, late: late.signal, clock })),
          {
            timeoutMs: answerTimeoutMs,
            clock,
          },
        );
        // A swap of the API itself cannot wait for the answer to its own request.
        if (!swapRoutes.has(name) || context.req.param("id") !== services.id) services.waitUntil(answer);
        return answer;
      };
      try {
        const over = endingRoutes.has(name) ? undefined : accessSignal(context.get("caller"));
        return await whileAllowed(work, { over, late });
      } catch (error) {
        if (!(error instanceof DeadlineError)) throw error;
        late.abort();
        const message = `No answer within ${answerTimeoutMs / 1_000} s: the operation was aborted; check its state before you retry`;
        throw new ServiceError("TIMEOUT", message, { cause: error });
      }
    });
  }
  refuseOtherMethods(app);
  app.notFound(({ req }) => errorAnswer("ROUTE_UNKNOWN", unknownRouteMessage(req)));
  return app;
}

function pathOf({ path, takesRest }: Route): string {
  return takesRest === true ? `${path}{.+}` : path;
}

function refuseOtherMethods(app: HonoBase<ApiEnv>): void {
  for (const [path, known] of Map.groupBy(Object.values<Route>(routes), pathOf)) {
    const methods = known.map((route) => route.method).join(", ");
    app.all(path, ({ req }) => {
      const refusal = errorAnswer("METHOD_NOT_ALLOWED", `${req.method} is not for ${req.path}; use ${methods}`);
      refusal.headers.set("allow", methods);
      return refusal;
    });
  }
}

/** The next user of a browser must not see answers from before a sign-out. */
function noStore(): MiddlewareHandler {
  return async (context, next) => {
    await next();
    context.res.headers.set("cache-control", "no-store");
    context.res.headers.set("x-content-type-options", "nosniff");
  };
}

/** OpenAI routes that are not supported. */
const alternativeByRoute: ReadonlyMap<string, string> = new Map([
  [
    "POST /v1/completions",
    "use POST /v1/chat/completions, which accepts `messages` or a `prompt` as the user message",
  ],
]);

function unknownRouteMessage({ method, path }: { readonly method: string; readonly path: string }): string {
  const route = `${method} ${path}`;
  const word = alternativeByRoute.get(route) ?? "GET /openapi.json lists the routes";
  return `Unknown route ${route}; ${word}`;
}
