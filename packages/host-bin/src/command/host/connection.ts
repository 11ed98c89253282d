import { createClient, routes, type Client, type ClientOptions } from "@incipit/transport-contract";
import type { Config } from "@incipit/host/configuration";
import { DataFolder, DataFolderHeld, directFetch, tokenOf } from "@incipit/host/data-folder";
import { compileAsUsual } from "../../compile-late.ts";
import type { OfferedVendor } from "../../config/known-vendors.ts";
import { unlessSilent } from "./unless-silent.ts";

/** Longest wait for a host that is starting or ending. */
const settleTimeoutMs = 10_000;
const pollMs = 20;

export interface Connection extends AsyncDisposable {
  readonly client: Client;
  /** Data folder of its host; absolute. */
  readonly dataFolder: string;
  /** The host is in this process, and ends with the connection. */
  readonly isInside: boolean;
  /** Process that the host is. */
  readonly pid: number;
  readonly url: string;
  /** What the host inside has by keys of the environment; of another one nothing is known. */
  readonly offered: readonly OfferedVendor[];
  /** Whoever calls the command has no configuration, and named no model. */
  readonly isUnconfigured: boolean;
}

/** What a command starts a host with. */
export interface HostStart {
  /** Absolute. */
  readonly dataFolder: string;
  /** Where the user's own files are; absolute. */
  readonly userFolder: string;
  /** As those of `Connection`. */
  readonly isUnconfigured: boolean;
  readonly offered: readonly OfferedVendor[];
  /** Settled when a host is to start, and once: somebody may be asked. */
  readonly config: () => Promise<Config>;
}

export interface ConnectOptions {
  /** Working folder of conversations that name none; absolute. */
  readonly cwd: string;
  readonly err: (text: string) => void;
  /** When the host ends, none is started in its place: whoever works on what runs in a host ends with it. */
  readonly endsWithHost?: boolean;
  /** Told when the host has ended and another one answers. */
  readonly onMove?: () => void;
  /** Told in the place of `err` when the host answers nothing. */
  readonly onSilent?: (text: string) => void;
}

/** A host that was found or started. */
interface Reached {
  readonly host: Required<ClientOptions>;
  readonly pid: number;
  readonly isInside: boolean;
  /** Whether it can still be asked: whoever has its port behind it, such as another user, gets no token and no word. */
  readonly isThere: () => boolean;
  readonly close: () => Promise<void>;
}

/**
 * The host that runs on the data folder; where none does, one inside this process, for as long as the command takes and
 * others that have found it are being answered. When it ends while this goes on, such as another command that had it
 * inside, the next request goes to the host that is there by then.
 * @throws {DataFolderHeld} when a host neither gets ready nor ends, or has no HTTP API.
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
    if (reached !== from) return; // Another request was first.
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
    return unlessSilent(answer, { pid: at.pid, isAnswering, err: options.onSilent ?? options.err });
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
        // The next one may be inside a command that ends, too.
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

/** Whether a request may be sent again: nothing of it has reached anybody, or twice is the same as once. */
function mayRepeat(error: unknown, { method = "GET", headers }: RequestInit): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  // One that is ending takes no more connections.
  if (code === "ECONNREFUSED") return true;
  return code === "ECONNRESET" && (method === "GET" || new Headers(headers).has("idempotency-key"));
}

/** Whether a host says where it is: one that is ending does not, and is there for a while. */
function isNamed(dataFolder: string, { host: { url } }: Reached): boolean {
  const state = DataFolder.look(dataFolder);
  return state.kind === "held" && state.holder?.url === url;
}

/** A connection for each request: one that is kept may be closed, by a host that is ending, under the next. */
const fetchApart: typeof directFetch = (url, init) => directFetch(url, { ...init, keepalive: false });

/** @throws the reason of `signal` when it has aborted before there is one; a host that is being started is waited for. */
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
      // Another command was faster: its host is the one to talk to.
      if (!(error instanceof DataFolderHeld) || performance.now() > deadlineMs) throw error;
    }
    if (performance.now() > deadlineMs) throw new DataFolderHeld(dataFolder, undefined);
    await Bun.sleep(pollMs);
    signal.throwIfAborted();
  }
}

/** Waits no longer once `signal` has aborted; the work goes on for whoever else waits for it. @throws the signal's reason. */
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

/** Loaded when it is needed: a command that has a host to talk to does not wait for all of its code. */
async function startInside(start: HostStart, options: ConnectOptions): Promise<Reached> {
  compileAsUsual(); // Also where another host had the data folder before.
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
