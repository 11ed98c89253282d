import { shellWord } from "@incipit/cli-text";
import type { Config } from "@incipit/host/configuration";
import { DataFolder, directFetch, tokenOf } from "@incipit/host/data-folder";
import { createClient, type ExtensionInfo, routes } from "@incipit/transport-contract";
import { accessSync, constants, existsSync, readdirSync, readFileSync, readlinkSync, statfsSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import type { SpendLimitsState } from "@incipit/schema";
import * as z from "zod";
import { version } from "../../version.ts";
import { extensionFindings } from "./extension-findings.ts";
import type { Finding } from "./finding.ts";
import { escapeHiddenLine } from "@incipit/schema/text";

/** Below this the disk is soon full: a database in use needs extra space. */
const minFreeBytes = 256 * 1_048_576;
const answerTimeoutMs = 5_000;

export function storageFindings(dataFolder: string): readonly Finding[] {
  const where = dataFolder;
  const isThere = existsSync(dataFolder);
  let folder = dataFolder;
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch {
    const what = isThere ? "nothing can be written there" : `it cannot be made: "${folder}" is not yours to write`;
    return [
      { check: "storage", status: "wrong", what, where, fix: "take another folder: --data DIR, or INCIPIT_DATA" },
    ];
  }
  const { bavail, bsize } = statfsSync(folder);
  const freeBytes = bavail * bsize;
  const free = `${(freeBytes / 1_073_741_824).toFixed(1)} GiB are free`;
  const room: Finding =
    freeBytes < minFreeBytes
      ? {
          check: "storage",
          status: "wrong",
          what: `the disk is nearly full: ${free}`,
          where,
          fix: `make room, or keep less: [records] keep_megabytes (du -h ${shellWord(folder)})`,
        }
      : { check: "storage", status: "ok", what: isThere ? free : `it is made at the first use; ${free}`, where };
  const damaged = isThere ? readdirSync(dataFolder).filter((name) => /\.damaged-\d/.test(name)) : [];
  return [
    room,
    ...damaged.map((name): Finding => ({
      check: "storage",
      status: "note",
      what: `a damaged file was set aside: ${name}`,
      where,
      fix: "it holds the data from before it was damaged; delete it once you miss nothing",
    })),
  ];
}

/** Reports on the running host or, without one, whether the port is free. */
export async function hostFindings(dataFolder: string, config: Config | undefined): Promise<readonly Finding[]> {
  const state = DataFolder.look(dataFolder);
  if (state.kind === "free") {
    const none: Finding = {
      check: "host",
      status: "ok",
      what: "none runs; a command begins its own",
      where: dataFolder,
    };
    return config === undefined ? [none] : [none, await portFinding(config)];
  }
  const { holder } = state;
  if (holder?.url === undefined) {
    const who = holder === undefined ? "a host that is starting or ending" : `process ${holder.pid}`;
    const fix = holder === undefined ? "wait a moment, then: incipit doctor" : `kill ${holder.pid}`;
    return [
      {
        check: "host",
        status: "wrong",
        what: `${who} has the data folder, and answers nobody`,
        where: dataFolder,
        fix,
      },
    ];
  }
  const { pid, url, since } = holder;
  const signal = AbortSignal.timeout(answerTimeoutMs);
  const client = createClient({ url, token: tokenOf(dataFolder), fetch: directFetch });
  try {
    const health = await client.call(routes.getHealth, { signal });
    const { extensions } = await client.call(routes.listExtensions, { signal });
    const broken = extensionFindings(extensions);
    const { limits } = await client.call(routes.listCosts, { query: { since: new Date().toISOString() }, signal });
    const { servers } = await client.call(routes.listToolServers, { signal });
    const running: Finding = {
      check: "host",
      status: "ok",
      what: `process ${pid} has the data folder since ${since}`,
      where: url,
    };
    const other: Finding = {
      check: "versions",
      status: "wrong",
      what: `the host that runs is version ${health.version}, and this command ${version}`,
      where: url,
      fix: `end it (kill ${pid}), then: incipit serve`,
    };
    return [
      running,
      ...(health.version === version ? [] : [other]),
      ...broken,
      ...limitsFindings(limits),
      ...health.problems
        .filter((problem) => !isTold(problem, extensions))
        .map((what): Finding => ({ check: "host", status: "wrong", what, where: url })),
      ...servers.flatMap(({ name, state: its, error }): readonly Finding[] =>
        its !== "failed"
          ? []
          : [
              {
                check: "mcp",
                status: "wrong",
                what: `"${name}" ${error ?? "has failed"}`,
                fix: `incipit mcp test ${shellWord(name)}`,
              },
            ],
      ),
    ];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [
      {
        check: "host",
        status: "wrong",
        what: `process ${pid} has the data folder, and does not answer: ${why}`,
        where: url,
        fix: `kill ${pid}`,
      },
    ];
  }
}

function limitsFindings({ maxUsdPerConversation, maxUsdPerDay, spentToday }: SpendLimitsState): readonly Finding[] {
  const spent = `$${spentToday.usd.toFixed(2)}`;
  const whats = [
    ...(maxUsdPerDay === null
      ? []
      : [`${spent} of $${maxUsdPerDay.toFixed(2)} were spent today ([limits] max_usd_per_day)`]),
    ...(maxUsdPerConversation === null
      ? []
      : [`a conversation may cost $${maxUsdPerConversation.toFixed(2)} ([limits] max_usd_per_conversation)`]),
  ];
  const isReached = maxUsdPerDay !== null && spentToday.usd >= maxUsdPerDay;
  if (whats.length === 0) return [];
  const fix = isReached ? { fix: "go on tomorrow, or raise max_usd_per_day and restart the host" } : {};
  return [{ check: "limits", status: isReached ? "note" : "ok", what: whats.join("; "), ...fix }];
}

/** An extension may have its own finding. */
function isTold(problem: string, extensions: readonly ExtensionInfo[]): boolean {
  return extensions.some(({ id }) =>
    [" failed: ", " waits for "].some((how) => problem.startsWith(`Extension "${id}"${how}`)),
  );
}

const listenSchema = z.object({ host: z.string(), port: z.int() });

async function portFinding({ listen }: Config): Promise<Finding> {
  const { host, port } = listenSchema.parse(listen);
  const where = `${host}:${port}`;
  if (port === 0) return { check: "port", status: "ok", what: "any free one", where };
  const problem = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    const server = createServer();
    server.once("error", resolve);
    server.listen({ host, port }, () => server.close(() => resolve(undefined)));
  });
  if (problem === undefined) return { check: "port", status: "ok", what: "it is free", where };
  const fix = "incipit serve --port 0 takes any free port; [listen] port chooses one for good";
  if (problem.code !== "EADDRINUSE")
    return { check: "port", status: "wrong", what: `it cannot be opened: ${problem.message}`, where, fix };
  const holder = portHolder(port);
  const who = holder === undefined ? "another program" : `process ${holder.pid} (${holder.name})`;
  // Only "serve" needs the port; an in-process host takes any.
  return {
    check: "port",
    status: "note",
    what: `${who} has the port, which "incipit serve" would take`,
    where,
    fix,
  };
}

interface PortHolder {
  readonly pid: number;
  readonly name: string;
}

/** `st` in `/proc/net/tcp`; https://www.kernel.org/doc/html/latest/networking/proc_net_tcp.html */
const listening = "0A";

/** `undefined` where the system does not reveal it: on systems other than Linux, and for processes of other users. */
function portHolder(port: number, proc = "/proc"): PortHolder | undefined {
  const inodes = new Set(["tcp", "tcp6"].flatMap((table) => inodesOf(join(proc, "net", table), port)));
  if (inodes.size === 0) return undefined;
  for (const pid of list(proc).filter((name) => /^\d+$/.test(name))) {
    const folder = join(proc, pid, "fd");
    for (const descriptor of list(folder)) {
      const [, inode] = /^socket:\[(\d+)\]$/.exec(tried(() => readlinkSync(join(folder, descriptor))) ?? "") ?? [];
      if (inode === undefined || !inodes.has(inode)) continue;
      return {
        pid: Number(pid),
        name: escapeHiddenLine(tried(() => read(join(proc, pid, "comm")))?.trim() ?? "?"),
      };
    }
  }
  return undefined;
}

function inodesOf(table: string, port: number): readonly string[] {
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  return (tried(() => read(table)) ?? "").split("\n").flatMap((line) => {
    const [, local = "", , state, , , , , , inode] = line.trim().split(/\s+/);
    return state === listening && local.endsWith(`:${hex}`) && inode !== undefined ? [inode] : [];
  });
}

function read(path: string): string {
  return readFileSync(path, "utf8");
}

function list(folder: string): readonly string[] {
  return tried(() => readdirSync(folder)) ?? [];
}

/** A process may end during the check, or belong to another user. */
function tried<Value>(get: () => Value): Value | undefined {
  try {
    return get();
  } catch {
    return undefined;
  }
}
