import { KernelError } from "@incipit/kernel";
import { ServiceError, type ToolServer } from "@incipit/service-contract";
import type { OfferEvent } from "@incipit/transport-contract";
import { need, type Services } from "../context/services.ts";
import { toServerInfo } from "./host-routes.ts";
import { accessSignal } from "../request/caller.ts";
import type { Handlers } from "../request/route-call.ts";
import { eventStream } from "../stream/event-stream.ts";

export function offeredServerHandlers(services: Services) {
  const { clock, log, signals, waitUntil } = services;
  return {
    listOfferedToolServers: async (call) => {
      const id = call.conversationId();
      await need(services.conversations, "session orchestrator").get(id);
      const servers = (await services.offeredToolServers.current?.list(id)) ?? [];
      return call.answer({ servers: servers.map(toServerInfo) });
    },
    offerToolServers: async (call) => {
      const id = call.conversationId();
      await need(services.conversations, "session orchestrator").get(id);
      const service = need(services.offeredToolServers, "extension that accepts MCP servers from clients");
      const { servers } = await call.body();
      const gone = new AbortController();
      const leave = (): void => gone.abort();
      const { signal } = call;
      signal.addEventListener("abort", leave, { once: true });
      if (signal.aborted) leave();
      const letGo = AbortSignal.any([...signals]);
      const abort = new AbortController();
      const close = (): void => abort.abort();
      letGo.addEventListener("abort", close, { once: true });
      let hasEnded = false;
      const over = Promise.withResolvers<unknown>();
      const offered = service.offer(id, servers, { signal: gone.signal, letGo })[Symbol.asyncIterator]();
      const onEnd = (failure?: unknown): void => {
        signal.removeEventListener("abort", leave);
        letGo.removeEventListener("abort", close);
        // When the API or the provider is unloaded, clients reconnect: they have not left.
        if (!letGo.aborted && !hasEnded) leave();
        // If no second event was requested, only this ends the source.
        const left = async (): Promise<unknown> => offered.return?.();
        void left().then(over.resolve, over.resolve);
        if (failure !== undefined) log.error("An offer of tool servers was cut off", { error: messageOf(failure) });
      };
      try {
        // Errors before the stream get an error response.
        const first = await offered.next();
        if (first.done === true) throw goingError();
        waitUntil(over.promise);
        return eventStream(eventsOf(first.value, { offered, onDone: () => (hasEnded = true) }), {
          clock,
          encode,
          abort,
          cut: accessSignal(call.caller),
          onEnd,
        });
      } catch (error) {
        onEnd();
        throw error;
      }
    },
  } satisfies Partial<Handlers>;
}

async function* eventsOf(
  first: readonly ToolServer[],
  {
    offered,
    onDone,
  }: {
    readonly offered: AsyncIterator<readonly ToolServer[]>;
    /** Not called for a disconnect. */
    readonly onDone: () => void;
  },
): AsyncGenerator<OfferEvent> {
  try {
    yield eventOf(first);
    for (;;) {
      const next = await offered.next();
      if (next.done === true) break;
      yield eventOf(next.value);
    }
  } catch (error) {
    // The extension was swapped; the client reconnects to the next one.
    if (!KernelError.is(error) || error.code !== "GENERATION_GONE") throw error;
  }
  onDone();
}

function eventOf(servers: readonly ToolServer[]): OfferEvent {
  return { type: "tool-servers", servers: servers.map(toServerInfo) };
}

function encode(event: OfferEvent): Uint8Array {
  return new TextEncoder().encode(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

function goingError(): ServiceError {
  return new ServiceError(
    "SERVICE_UNAVAILABLE",
    "The extension that accepts MCP servers is being unloaded; try again",
  );
}

function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : "not an error";
}
