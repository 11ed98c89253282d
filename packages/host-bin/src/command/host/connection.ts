import { createClient, routes, type ClientOptions } from "@incipit/transport-contract";
import { DataFolder, DataFolderHeld, directFetch, tokenOf } from "@incipit/host/data-folder";
import { compileAsUsual } from "../../compile-late.ts";
import type { Connection, ConnectOptions, HostStart } from "../registry/host-access.ts";
import { untilUnresponsive } from "./until-unresponsive.ts";

const settleTimeoutMs = 10_000;
const pollMs = 20;

interface Reached {
  readonly host: Required<ClientOptions>;
  readonly pid: number;
  readonly isInside: boolean;
  /** Otherwise another process, perhaps of another user, may have the host's port and must not receive the token. */
  readonly isThere: () => boolean;
  readonly close: () => Promise<void>;
}

/**
 * Without a running host, starts one in this process for as long as the command runs and other clients are being
 * served. Requests go to the successor of a host that ends.
 * @throws {DataFolderHeld} when a host neither becomes ready nor ends, or has no HTTP API.
 */
export async function connect(start: HostStart, options: ConnectOptions): Promise<Connection> {
  const { dataFolder, isUnconfigured } = start;
  const closing = new AbortController();
  const first = await reach(start, { ...options, signal: closing.signal });
  let reached = first;
  let moving: Promise<void> | undefined;
  const next = async (): Promise<void> => {
    reached = await reach(start, { ...options, signal: closing.signal });
    options.onMove?.();
  };
  const move = async (from: Reached, signal: RequestInit["signal"]): Promise<void> => {
    if (reached !== from) return; // Another request has reconnected already.
    signal?.throwIfAborted();
    if (options.endsWithHost === true && DataFolder.look(dataFolder).kind === "free")
      throw new Error(`The host on ${dataFolder} has ended`);
    moving ??= next().finally(() => (moving = undefined));
    await unlessAborted(moving, signal);
  };
  const asked = (at: Reached, answer: Promise<Response>): Promise<Response> => {
    if (at.isInside) return answer;
    const isAnswering = async (signal: AbortSignal): Promise<boolean> =>
      (await fetchApart(`${at.host.url}${routes.getHealth.path}`, { signal })).status > 0;
    return untilUnresponsive(answer, { pid: at.pid, isAnswering, err: options.onSilent ?? options.err });
  };
  const { url, token } = first.host;
  const fetch: typeof directFetch = async (address, init) => {
    const path = address.slice(url.length);
    const deadlineMs = performance.now() + settleTimeoutMs;
    for (;;) {
      if (!reached.isThere()) await move(reached, init.signal);
      const at = reached;
      try {
        return await asked(at, at.host.fetch(`${at.host.url}${path}`, init));
      } catch (error) {
        if (at.isInside || !mayRepeat(error, init) || performance.now() > deadlineMs) throw error;
        // The successor may itself be ending.
        if (isNamed(dataFolder, at)) throw error;
        await move(at, init.signal);
      }
    }
  };
  return {
    client: createClient({ url, token, fetch }),
    dataFolder,
    isUnconfigured,
    get pid() {
      return reached.pid;
    },
    get url() {
      return reached.host.url;
    },
    get isInside() {
      return reached.isInside;
    },
    get offered() {
      return reached.isInside ? start.offered : [];
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await moving?.catch(() => undefined);
      await reached.close();
    },
  };
}

/** Returns whether a failed request may be repeated: it was not delivered, or is idempotent. */
function mayRepeat(error: unknown, { method = "GET", headers }: RequestInit): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  // An ending host accepts no new connections.
  if (code === "ECONNREFUSED") return true;
  return code === "ECONNRESET" && (method === "GET" || new Headers(headers).has("idempotency-key"));
}

/** An ending host does not publish its address. */
function isNamed(dataFolder: string, { host: { url } }: Reached): boolean {
  const state = DataFolder.look(dataFolder);
  return state.kind === "held" && state.holder?.url === url;
}

/** One connection per request: an ending host may close a kept-alive connection during the next request. */
const fetchApart: typeof directFetch = (url, init) => directFetch(url, { ...init, keepalive: false });

/**
 * Still awaits a host during its start.
 * @throws the reason of `signal` when it aborts first.
 */
async function reach(
  start: HostStart,
  { signal, ...options }: ConnectOptions & { readonly signal: AbortSignal },
): Promise<Reached> {
  const { dataFolder } = start;
  const deadlineMs = performance.now() + settleTimeoutMs;
  for (;;) {
    const state = DataFolder.look(dataFolder);
    if (state.kind === "held" && state.holder !== undefined) {
      const { holder } = state;
      if (holder.url === undefined) throw new DataFolderHeld(dataFolder, holder);
      return {
        host: { url: holder.url, token: tokenOf(dataFolder), fetch: fetchApart },
        pid: holder.pid,
        isInside: false,
        isThere: () => DataFolder.isHeldBy(dataFolder, holder),
        close: async () => {},
      };
    }
    try {
      if (state.kind === "free") return await startInside(start, options);
    } catch (error) {
      // Another command was faster; use its host.
      if (!(error instanceof DataFolderHeld) || performance.now() > deadlineMs) throw error;
    }
    if (performance.now() > deadlineMs) throw new DataFolderHeld(dataFolder, undefined);
    await Bun.sleep(pollMs);
    signal.throwIfAborted();
  }
}

/** Rejects when the signal aborts; the work itself continues for other callers. */
async function unlessAborted(work: Promise<void>, signal: RequestInit["signal"]): Promise<void> {
  if (signal === undefined || signal === null) return work;
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort);
  try {
    await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** A command that finds a running host does not need the host's code. */
async function startInside(start: HostStart, options: ConnectOptions): Promise<Reached> {
  compileAsUsual();
  const config = await start.config();
  const { createHost } = await import("../../create-host.ts");
  const configuration = await import("@incipit/host/configuration");
  const { coreSchema } = await import("../../config/core-schema.ts");
  const { handleUncaught } = await import("./uncaught.ts");
  const host = await createHost({
    config: {
      ...config,
      listen: { host: "127.0.0.1", port: 0, allowed_hosts: [], allowed_origins: [] },
      [configuration.originKey]: config[configuration.originKey],
    },
    dataFolder: start.dataFolder,
    cwd: options.cwd,
    userFolder: start.userFolder,
    env: { ...process.env },
    logLevel: "warn",
    writeLog: options.err,
    catchUncaught: (attribute, redact) => handleUncaught(attribute, { err: options.err, redact }),
  });
  const { hideProcess } = await import("@incipit/host/hide-process");
  const configured = new configuration.Configured(config, coreSchema.extensions);
  hideProcess([...configured.secretVariables(), ...configuration.variablesOfProxies(configured, process.env)]);
  return {
    host: { url: host.url, token: host.token, fetch: host.fetch },
    pid: process.pid,
    isInside: true,
    isThere: () => true,
    close: () => host.closeWhenIdle(),
  };
}
