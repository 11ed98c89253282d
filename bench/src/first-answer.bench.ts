import { packCommand } from "@incipit/publish/packed-command";
import { createBareMachine, type BareMachine } from "@incipit/publish/bare-machine";
import { startPackageRegistry } from "@incipit/publish/package-registry";
import { createTempFolder, startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { Glob } from "bun";
import { existsSync } from "node:fs";
import { chmod, copyFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { buildCommand } from "./build-command.ts";
import { megabytes } from "./format.ts";
import { percentile } from "./measure.ts";
import { incipit } from "./newcomers/incipit.ts";
import { notes, vendorKey, type Newcomer } from "./newcomers/newcomer.ts";
import { opencode } from "./newcomers/opencode.ts";
import { pi } from "./newcomers/pi.ts";
import { installNode } from "./programs/node.ts";
import type { Row } from "./table.ts";

const rounds = 5;

interface FirstTimes {
  readonly installMs: number;
  readonly questionMs: number;
  readonly ownPromptMs: number;
}

interface Begin {
  readonly model: RecordingModelServer;
  /** npm's cache with all packages; absent: download. */
  readonly cache?: string;
}

async function timeRun(machine: BareMachine, ...run: Parameters<BareMachine["run"]>): Promise<number> {
  const startMs = performance.now();
  const { exitCode, stdout, stderr } = await machine.run(...run);
  if (exitCode === 0) return performance.now() - startMs;
  const said = (stderr.trim() || stdout.trim()).replaceAll(/\s+/g, " ").slice(0, 200);
  throw new Error(`"${run[0].join(" ")}" ended with ${exitCode}: ${said}`);
}

async function downloadedBytes(cache: string): Promise<number> {
  let bytes = 0;
  for await (const path of new Glob("_cacache/content-v2/**").scan({ cwd: cache, absolute: true }))
    bytes += (await stat(path)).size;
  return bytes;
}

function waysOut(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    ["NODE_EXTRA_CA_CERTS", "HTTPS_PROXY", "NO_PROXY"].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

const writing = `for (const [path, text] of Object.entries(JSON.parse(process.argv[1]))) {
  fs.mkdirSync(require("node:path").dirname(path), { recursive: true });
  fs.writeFileSync(path, text);
}`;

async function begin(newcomer: Newcomer, machine: BareMachine, { model, cache }: Begin): Promise<FirstTimes> {
  const prefix = join(machine.path, "global");
  const pointed = newcomer.pointTo(model);
  const env = {
    PATH: `${join(prefix, "bin")}:${machine.env["PATH"]}`,
    HOME: machine.path,
    npm_config_prefix: prefix,
    ...(cache === undefined ? waysOut() : { npm_config_cache: cache, npm_config_offline: "true" }),
  };
  const asking = { ...env, ANTHROPIC_API_KEY: vendorKey, ...pointed.env };
  const run = ([program = "", ...args]: readonly string[], variables: typeof env = asking): Promise<number> => {
    const installed = join(prefix, "bin", program);
    const command = [existsSync(installed) ? installed : program, ...args];
    return timeRun(machine, command, { cwd: machine.path, env: variables });
  };
  await run(["node", "-e", writing, JSON.stringify({ ...pointed.files, [notes.name]: notes.text })]);
  const installMs = await run(installOf(newcomer), env);
  const from = model.requests.length;
  const questionMs = await run(newcomer.question);
  if (model.requests.length === from) throw new Error("no model was asked");
  let ownPromptMs = 0;
  for (const command of newcomer.ownPrompt) ownPromptMs += await run(command);
  if (!model.requests.slice(from).some(({ body }) => body.includes(notes.text.trim())))
    throw new Error("no model was told of the file");
  return { installMs, questionMs, ownPromptMs };
}

function installOf({ packageName }: Newcomer): readonly string[] {
  return ["npm", "install", "-g", packageName];
}

interface Prepared extends Begin {
  readonly path: string;
  readonly downloadBytes: number;
  readonly times: FirstTimes[];
}

interface PrepareOptions {
  readonly model: RecordingModelServer;
  readonly path: string;
  readonly node: string;
}

async function newMachine({ registry }: Newcomer, path: string, node: string): Promise<BareMachine> {
  const settings = registry === undefined ? {} : { npm_config_registry: registry };
  return createBareMachine(path, settings, node);
}

/** The benchmark's user cannot read the current one's home. */
async function copyNode(path: string): Promise<string> {
  const node = join(path, "node");
  await copyFile(await installNode(), node);
  return node;
}

async function prepare(newcomer: Newcomer, { model, path, node }: PrepareOptions): Promise<Prepared> {
  const machine = await newMachine(newcomer, join(path, "machine 0"), node);
  await begin(newcomer, machine, { model });
  const cache = join(machine.path, "npm cache");
  return { model, cache, path, downloadBytes: await downloadedBytes(cache), times: [] };
}

/** In turn per round, so that load affects all contenders. */
async function measure(
  newcomers: readonly Newcomer[],
  path: string,
): Promise<ReadonlyMap<Newcomer, Prepared | string>> {
  await using model = await startRecordingModelServer();
  const node = await copyNode(path);
  const all = new Map<Newcomer, Prepared | string>();
  const attempt = async (newcomer: Newcomer, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      all.set(newcomer, error instanceof Error ? error.message : String(error));
    }
  };
  for (const newcomer of newcomers)
    await attempt(newcomer, async () => {
      all.set(newcomer, await prepare(newcomer, { model, node, path: join(path, newcomer.name) }));
    });
  for (let round = 1; round <= rounds; round += 1)
    for (const [newcomer, prepared] of all)
      if (typeof prepared !== "string")
        await attempt(newcomer, async () => {
          const machine = await newMachine(newcomer, join(prepared.path, `machine ${round}`), node);
          prepared.times.push(await begin(newcomer, machine, prepared));
        });
  return all;
}

function middle({ times }: Prepared, of: (one: FirstTimes) => number): number {
  return percentile(times.map(of), 0.5);
}

const untilAnswer = ({ installMs, questionMs }: FirstTimes): number => installMs + questionMs;
const untilOwnPrompt = (times: FirstTimes): number => untilAnswer(times) + times.ownPromptMs;

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}

function rowsOf(all: ReadonlyMap<Newcomer, Prepared | string>): readonly Row[] {
  const [ours] = all.values();
  if (ours === undefined || typeof ours === "string") throw new Error(`Incipit was not measured: ${ours}`);
  const rows = (
    title: string,
    of: (one: FirstTimes) => number,
    more: (measured: Prepared, by: Newcomer) => string,
  ) =>
    [...all].map(([newcomer, measured], index): Row => {
      const subject = index === 0 ? title : `– ${newcomer.name}`;
      if (typeof measured === "string") return { subject, measured: `not measured: ${measured}` };
      const ratio = index === 0 ? "" : `: ${(middle(measured, of) / middle(ours, of)).toFixed(1)} x ours`;
      return { subject, measured: `${seconds(middle(measured, of))} (${more(measured, newcomer)})${ratio}` };
    });
  return [
    ...rows(
      "from nothing to the first answer of a vendor's model: install, key, question",
      untilAnswer,
      (measured) =>
        `3 commands; install ${seconds(middle(measured, ({ installMs }) => installMs))}, question ${seconds(middle(measured, ({ questionMs }) => questionMs))}; ${megabytes(measured.downloadBytes)} downloaded before`,
    ),
    ...rows(
      "from nothing until a model was told of a file by a prompt of one's own",
      untilOwnPrompt,
      (_, { ownPrompt }) => `${3 + ownPrompt.length} commands`,
    ),
  ];
}

export async function firstAnswers(): Promise<readonly Row[]> {
  await using scope = new AsyncDisposableStack();
  const [built = ""] = await buildCommand();
  const packed = scope.use(await packCommand(built));
  const registry = scope.use(await startPackageRegistry(packed.packages));
  const temp = scope.use(await createTempFolder());
  await chmod(temp.path, 0o755);
  return rowsOf(await measure([incipit(registry.url), pi, opencode], temp.path));
}
