import type { Conversation, OfferedToolServer } from "@incipit/schema";
import type * as z from "zod";
import type { Endpoint, EndpointAnswer, EndpointClient, EndpointOptions } from "./endpoint.ts";
import { unreadable } from "./http/api-client-error.ts";
import { parseJson, Requests, type CallOptions, type ClientOptions } from "./http/requests.ts";
import { routes } from "./routes.ts";
import type { OfferEvent } from "./routes/offered-server-routes.ts";
import type { Route } from "./routes/route.ts";
import type { RouteInput, RouteWithoutInput, TypedRoute } from "./typed-route.ts";

/** A client of one host. Methods reject with `ApiClientError`, or with the reason of an aborted `signal`. */
export interface Client extends EndpointClient {
  /** Calls a JSON route, such as `call(routes.getHealth)`, or `call("GET /health")` by its method and path. */
  call<Response extends z.ZodType>(
    route: TypedRoute<Response> & RouteWithoutInput,
    options?: CallOptions,
  ): Promise<z.output<Response>>;
  call<Response extends z.ZodType, Target extends Route>(
    route: Target & TypedRoute<Response>,
    options: CallOptions & RouteInput<Target>,
  ): Promise<z.output<Response>>;
  call<Key extends Endpoint>(endpoint: Key, ...options: EndpointOptions<Key>): Promise<EndpointAnswer<Key>>;
  /**
   * Starts MCP servers for a conversation, which run until the iteration is left. Yields their state and each
   * change. Ends when the host stops or disconnects its clients.
   */
  offerToolServers(
    id: string,
    servers: readonly OfferedToolServer[],
    options?: { readonly signal?: AbortSignal },
  ): AsyncIterable<OfferEvent>;
  /**
   * Returns the bytes of an export. A truncated export does not end with an `end` line, and `importConversation`
   * rejects it.
   */
  exportConversation(id: string, options?: { readonly signal?: AbortSignal }): Promise<ReadableStream<Uint8Array>>;
  importConversation(
    exported: Blob | ReadableStream<Uint8Array>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Conversation>;
}

/** Creates a typed client of the HTTP API; requires only `fetch`. */
export function createClient(options: ClientOptions): Client {
  const requests = new Requests(options);

  const read = async <Response extends z.ZodType>(
    route: { readonly response: Response },
    { response, signal }: { readonly response: globalThis.Response; readonly signal: AbortSignal | undefined },
  ): Promise<z.output<Response>> => {
    const text = await requests.text(response, { signal });
    const answer = route.response.safeParse(parseJson(text));
    if (!answer.success) throw unreadable(response.status, text);
    return answer.data;
  };

  const stream = async function* <Event extends z.ZodType>(
    route: Route & { readonly response: Event },
    call: CallOptions,
  ): AsyncGenerator<z.output<Event>> {
    const response = await requests.send(route, call);
    for await (const data of requests.events(response, { signal: call.signal })) {
      const event = route.response.safeParse(parseJson(data));
      if (!event.success) throw unreadable(response.status, data);
      yield event.data;
    }
  };

  function call<Key extends Endpoint>(
    endpoint: Key,
    ...options: EndpointOptions<Key>
  ): Promise<EndpointAnswer<Key>>;
  function call<Response extends z.ZodType>(
    route: TypedRoute<Response>,
    options?: CallOptions,
  ): Promise<z.output<Response>>;
  async function call(target: Endpoint | TypedRoute<z.ZodType>, options: CallOptions = {}): Promise<unknown> {
    const route = typeof target === "string" ? routeOf(target) : target;
    return read(route, { response: await requests.send(route, options), signal: options.signal });
  }

  return {
    call,
    sendTurn: (id, body, { idempotencyKey, signal } = {}) =>
      stream(routes.createTurn, {
        params: { id },
        body,
        ...(idempotencyKey === undefined ? {} : { headers: { "idempotency-key": idempotencyKey } }),
        ...(signal === undefined ? {} : { signal }),
      }),
    offerToolServers: (id, servers, { signal } = {}) =>
      stream(routes.offerToolServers, {
        params: { id },
        body: { servers },
        ...(signal === undefined ? {} : { signal }),
      }),
    async exportConversation(id, { signal } = {}) {
      const call = { params: { id }, ...(signal === undefined ? {} : { signal }) };
      return (await requests.send(routes.exportConversation, call)).body ?? new ReadableStream();
    },
    async importConversation(lines, { signal } = {}) {
      const call = { lines, ...(signal === undefined ? {} : { signal }) };
      const response = await requests.send(routes.importConversation, call);
      return (await read(routes.importConversation, { response, signal })).conversation;
    },
    followEvents: (id, { afterSeq, signal } = {}) =>
      stream(routes.followEvents, {
        params: { id },
        ...(afterSeq === undefined ? {} : { query: { after: afterSeq } }),
        ...(signal === undefined ? {} : { signal }),
      }),
  };
}

function routeOf(endpoint: Endpoint): Route {
  const route = Object.values<Route>(routes).find(({ method, path }) => `${method} ${path}` === endpoint);
  if (route === undefined) throw new TypeError(`"${endpoint}" is not a route: write it as "GET /health"`);
  return route;
}
