import type { McpServer } from "@agentclientprotocol/sdk/unstable";
import { RequestError } from "@agentclientprotocol/sdk/unstable";
import { offeredToolServersSchema, type ConversationId, type OfferedToolServer } from "@incipit/schema";
import { ApiClientError, type ToolServerInfo } from "@incipit/transport-contract";
import { isAway, type HostLink } from "../host/host-link.ts";
import { pause } from "./follow-conversation.ts";

const firstWaitMs = 200;
const longestWaitMs = 5_000;

/** @throws {RequestError} Invalid params, naming the field but no value, which may be a secret. */
export function passedServers(
  given: readonly McpServer[],
  log: (line: string) => void,
): readonly OfferedToolServer[] {
  const servers = given.flatMap((server): readonly unknown[] => {
    if ("command" in server) {
      const { name, command, args, env } = server;
      return [{ kind: "stdio", name, command, args, env: valuesOf(env) }];
    }
    const { type, name } = server;
    if (server.type === "http") return [{ kind: "http", name, url: server.url, headers: valuesOf(server.headers) }];
    log(
      `The MCP server ${JSON.stringify(name)} was skipped: its type "${type}" is not supported; supported types are stdio and http`,
    );
    return [];
  });
  if (servers.length === 0) return [];
  const parsed = offeredToolServersSchema.safeParse(servers);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.slice(0, 5).map(({ path, message }) => `${placeOf(path)} ${message}`);
  throw RequestError.invalidParams({ mcpServers: problems }, problems.join("; "));
}

function valuesOf(pairs: readonly { readonly name: string; readonly value: string }[]): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}

/** Returns the place of an invalid value, such as `mcpServers[0].env`. */
function placeOf([index, ...keys]: readonly PropertyKey[]): string {
  const place = index === undefined ? "mcpServers" : `mcpServers[${String(index)}]`;
  return [place, ...keys.map(String)].join(".");
}

export function refusalText(error: ApiClientError): string {
  return `The MCP servers of the editor do not run: ${error.message}`;
}

export interface ServersOfferOptions {
  readonly conversationId: ConversationId;
  readonly servers: readonly OfferedToolServer[];
  readonly link: HostLink;
  readonly log: (line: string) => void;
}

/**
 * The host notices an abrupt end by the lost connection. Commands and environment of the servers are stored only here.
 */
export class ServersOffer {
  readonly #options: ServersOfferOptions;
  readonly #closed = new AbortController();
  readonly #told = new Set<string>();

  private constructor(options: ServersOfferOptions) {
    this.#options = options;
  }

  /** Resolves when the host has accepted the servers, running or not. @throws {ApiClientError} if it rejects them. */
  static async open(options: ServersOfferOptions): Promise<ServersOffer> {
    const offer = new ServersOffer(options);
    await new Promise<void>((resolve, reject) => void offer.#keep({ resolve, reject }));
    return offer;
  }

  close(): void {
    this.#closed.abort();
  }

  /** Never rejects. @param taken The host's first answer; later rejections are logged. */
  async #keep(taken: { readonly resolve: () => void; readonly reject: (error: unknown) => void }): Promise<void> {
    const { conversationId, servers, link, log } = this.#options;
    const { signal } = this.#closed;
    let isTaken = false;
    for (let tries = 0; !signal.aborted; tries += 1) {
      if (tries > 0) await pause(Math.min(firstWaitMs * 2 ** (tries - 1), longestWaitMs), signal);
      const used = link.client();
      try {
        const client = await used;
        for await (const event of client.offerToolServers(conversationId, servers, { signal })) {
          tries = 0;
          isTaken = true;
          taken.resolve();
          this.#tell(event.servers);
        }
      } catch (error) {
        if (signal.aborted) return;
        const isRefused = error instanceof ApiClientError && !isAway(error);
        // Without a host, opening a session fails; an open session waits for the next host.
        if (!isTaken && (isRefused || tries > 1)) return taken.reject(error);
        if (isRefused) return log(refusalText(error));
        link.leave(used);
      }
    }
  }

  /** Users look at stderr for missing servers. */
  #tell(servers: readonly ToolServerInfo[]): void {
    for (const { name, error, problems } of servers)
      for (const problem of error === null ? problems : [error, ...problems]) {
        const text = `The MCP server "${name}" ${problem}`;
        if (this.#told.has(text)) continue;
        this.#told.add(text);
        this.#options.log(text);
      }
  }
}
