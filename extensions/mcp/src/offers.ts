import type { Clock, Host } from "@incipit/kernel";
import { unlessAborted } from "@incipit/common";
import type { OfferedToolServer } from "@incipit/schema";
import {
  ServiceError,
  type PromptSegment,
  type PromptSegmentText,
  type OfferedToolServers,
  type ToolServer,
  type ToolServers,
  type ToolSource,
  type ToolSourceAnswer,
} from "@incipit/service-contract";
import { instructionsOf } from "./instructions-segment.ts";
import { maxOfferedServers } from "./limits.ts";
import { offeredServer, type OfferedServer } from "./offered-server.ts";
import { toolsOf } from "./tool-source.ts";

export interface OffersOptions {
  readonly host: Pick<Host, "spawn" | "net" | "log" | "clock" | "waitUntil" | "draining" | "signal">;
  readonly configured: () => ToolServers | undefined;
}

interface Offer {
  readonly servers: readonly OfferedServer[];
}

/** In memory only, as values may be secrets. */
export class Offers implements OfferedToolServers {
  readonly #options: OffersOptions;
  readonly #open = new Map<string, readonly Offer[]>();
  readonly #running = new Set<OfferedServer>();
  #count = 0;

  constructor(options: OffersOptions) {
    this.#options = options;
  }

  async tools({
    conversationId,
    call,
    signal,
  }: Pick<Parameters<ToolSource["tools"]>[0], "conversationId" | "call" | "signal">): Promise<ToolSourceAnswer> {
    const { clock } = this.#options.host;
    const offered = this.#serversOf(conversationId);
    if (call === undefined) return answerOf(offered, clock, signal);
    const [, name] = /^(.+?)__/.exec(call) ?? [];
    if (name === undefined) return { tools: [], problems: [] };
    const named = offered.filter((one) => one.name === name);
    if (named.length > 0) return answerOf(named, clock, signal);
    const isConfigured = (await this.#configuredNames()).has(name);
    const problem = `No connected client offers the MCP server "${name}" to this conversation; open the conversation in the editor that offers it`;
    return { tools: [], problems: isConfigured ? [] : [problem] };
  }

  async instructions(context: Parameters<PromptSegment["text"]>[0]): Promise<PromptSegmentText | null> {
    const servers = this.#serversOf(context.conversationId).flatMap(({ server }) =>
      server === undefined ? [] : [server],
    );
    return instructionsOf(servers, this.#options.host.clock, context);
  }

  list(conversationId: string): Promise<readonly ToolServer[]> {
    return Promise.resolve(statesOf(this.#serversOf(conversationId)));
  }

  async *offer(
    conversationId: string,
    given: readonly OfferedToolServer[],
    { signal, letGo }: Parameters<OfferedToolServers["offer"]>[2],
  ): AsyncGenerator<readonly ToolServer[]> {
    const { host } = this.#options;
    const configured = await this.#configuredNames();
    if (this.#count + given.length > maxOfferedServers) {
      const message = `Cannot start ${given.length} MCP servers: ${this.#count} are offered by clients already, and ${maxOfferedServers} can be; close sessions that have some`;
      throw new ServiceError("INVALID_REQUEST", message);
    }
    let changed = Promise.withResolvers<void>();
    const wake = (): void => changed.resolve();
    const servers = given.map((one) => offeredServer(one, { host, configured, onChange: wake }));
    const offer: Offer = { servers };
    const over = AbortSignal.any([signal, letGo, host.draining, host.signal]);
    over.addEventListener("abort", wake, { once: true });
    this.#count += given.length;
    for (const one of servers) this.#running.add(one);
    this.#open.set(conversationId, [...(this.#open.get(conversationId) ?? []), offer]);
    try {
      for (const { server } of servers) void server?.tools(over); // It never rejects: errors are part of its state.
      while (!over.aborted) {
        yield statesOf(servers);
        await changed.promise;
        changed = Promise.withResolvers<void>();
      }
    } finally {
      this.#count -= given.length;
      this.#forget(conversationId, offer);
      const end = this.#end(servers, signal);
      if (signal.aborted) await end;
      else host.waitUntil(end); // A cancelled caller does not wait for calls.
    }
  }

  /** Immediately when the client is gone, else after current calls. Never rejects. */
  async #end(servers: readonly OfferedServer[], signal: AbortSignal): Promise<void> {
    const calls = Promise.all(servers.map(async ({ server }) => server?.rest()));
    await unlessAborted(calls, [signal]).catch(() => undefined);
    for (const one of servers) this.#running.delete(one);
    await closeAll(servers);
  }

  async close(): Promise<void> {
    await closeAll([...this.#running]);
  }

  #serversOf(conversationId: string): readonly OfferedServer[] {
    const byName = new Map(
      (this.#open.get(conversationId) ?? []).flatMap(({ servers }) =>
        servers.map((one) => [one.name, one] as const),
      ),
    );
    return [...byName.values()];
  }

  #forget(conversationId: string, offer: Offer): void {
    const left = (this.#open.get(conversationId) ?? []).filter((one) => one !== offer);
    if (left.length === 0) this.#open.delete(conversationId);
    else this.#open.set(conversationId, left);
  }

  async #configuredNames(): Promise<ReadonlySet<string>> {
    const servers = await this.#options.configured()?.list();
    return new Set(servers?.map(({ name }) => name));
  }
}

async function answerOf(
  offered: readonly OfferedServer[],
  clock: Clock,
  signal: AbortSignal,
): Promise<ToolSourceAnswer> {
  const running = offered.flatMap(({ server }) =>
    server === undefined ? [] : [(either: AbortSignal) => server.tools(either)],
  );
  const { tools, problems } = await toolsOf(running, clock, signal);
  return {
    tools,
    problems: [...problems, ...refusals(offered)],
    servers: offered.map(({ name }) => name),
  };
}

async function closeAll(offered: readonly OfferedServer[]): Promise<void> {
  await Promise.all(offered.map(async ({ server }) => server?.close()));
}

function refusals(offered: readonly OfferedServer[]): readonly string[] {
  return offered.flatMap(({ name, server, state }) =>
    server === undefined ? [`The MCP server "${name}" ${state().error}`] : [],
  );
}

function statesOf(servers: readonly OfferedServer[]): readonly ToolServer[] {
  return servers.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(({ state }) => state());
}
