import { fileURLToPath } from "node:url";
import { callLoops, type CallLoop } from "./kernel-calls.ts";
import { loaders, type Loaded } from "./kernel-loaders.ts";
import { percentile, takeTurns } from "./measure.ts";
import type { Row } from "./table.ts";

type Samples = ReadonlyMap<string, readonly number[]>;

const callsPerRound = 20_000;

async function timeCalls(loop: CallLoop): Promise<number> {
  const startNs = Bun.nanoseconds();
  const value = await loop(callsPerRound);
  const tookNs = Bun.nanoseconds() - startNs;
  if (value !== callsPerRound) throw new Error("A call gave something else");
  return tookNs / callsPerRound;
}

/** The minimum, since other load only adds. */
function best(samples: Samples, name: string): number {
  return Math.min(...(samples.get(name) ?? []));
}

export async function kernelCalls(): Promise<readonly Row[]> {
  const works = Object.entries(await callLoops()).map(([name, loop]) => [name, () => timeCalls(loop)] as const);
  const samples = await takeTurns(Object.fromEntries(works), { rounds: 41, warmUpRounds: 9 });
  const ns = (name: string): string => `${Math.round(best(samples, name)).toLocaleString("en")} ns`;
  const plain = samples.get("plain") ?? [];
  const more = (samples.get("reference") ?? []).map((took, round) => took - (plain[round] ?? Number.NaN));
  const [low, high] = [0.25, 0.75].map((share) => Math.round(percentile(more, share)));
  const moreNs = best(samples, "reference") - best(samples, "plain");
  return [
    {
      subject: "a call through a live reference, with its lease",
      measured: `${ns("reference")}, and ${ns("plain")} for a plain async call: ${Math.round(moreNs)} ns more (half of the rounds: ${low} to ${high})`,
      target: "100 ns more than a plain async call",
      isMet: moreNs <= 100,
    },
    { subject: "– with `getService` anew for each call", measured: ns("getService") },
    { subject: "– cordis, a value on `ctx`", measured: ns("cordisValue") },
    { subject: "– cordis, a `Service` on `ctx`", measured: ns("cordisService") },
    { subject: "– avvio, a method on the app", measured: ns("avvio") },
  ];
}

const loadedAtOnce = 20;
const swapsPerRound = 20;

async function timeLoad(load: () => Promise<Loaded>): Promise<number> {
  const startMs = performance.now();
  const loaded = await load();
  const tookMs = performance.now() - startMs;
  await loaded.close();
  return tookMs;
}

async function timeSwaps(load: () => Promise<Loaded>, index: number): Promise<number> {
  const { swap, close } = await load();
  if (swap === undefined) throw new Error("There is no swap");
  const startMs = performance.now();
  for (let count = 0; count < swapsPerRound; count += 1) await swap(index);
  const tookMs = performance.now() - startMs;
  await close();
  return tookMs / swapsPerRound;
}

export async function kernelLoads(): Promise<readonly Row[]> {
  const kernel = loaders.kernel(loadedAtOnce);
  const cordis = loaders.cordis(loadedAtOnce);
  const avvio = loaders.avvio(loadedAtOnce);
  const last = loadedAtOnce - 1;
  const samples = await takeTurns(
    {
      kernel: () => timeLoad(kernel),
      cordis: () => timeLoad(cordis),
      avvio: () => timeLoad(avvio),
      kernelLast: () => timeSwaps(kernel, last),
      kernelFirst: () => timeSwaps(kernel, 0),
      cordisLast: () => timeSwaps(cordis, last),
      cordisFirst: () => timeSwaps(cordis, 0),
    },
    { rounds: 41, warmUpRounds: 9 },
  );
  const ms = (name: string): string =>
    `${percentile(samples.get(name) ?? [], 0.5).toFixed(2)} ms, at best ${best(samples, name).toFixed(2)} ms`;
  const swaps = (name: string): string =>
    `${best(samples, `${name}Last`).toFixed(3)} ms when nobody uses it, ${best(samples, `${name}First`).toFixed(3)} ms when ${last} do`;
  return [
    { subject: `load of ${loadedAtOnce} extensions`, measured: ms("kernel") },
    { subject: "– cordis", measured: ms("cordis") },
    { subject: "– avvio (it takes them in the order in which they are given)", measured: ms("avvio") },
    { subject: `a swap, of ${loadedAtOnce} loaded, nothing in flight`, measured: swaps("kernel") },
    { subject: "– cordis: `dispose` and `plugin` anew, and all that use it", measured: swaps("cordis") },
    { subject: "– avvio", measured: "has none: a plugin stays until the app is closed" },
  ];
}

const loadedForMemory = 1_000;
const processes = 3;
const swapMarks = [100, 1_000, 3_000] as const;

interface Memory {
  readonly heapBytes: number;
  readonly rssBytes: number;
}

/** Runs in a separate process without remains of other measurements. */
async function measureInChild(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly Memory[]> {
  const script = fileURLToPath(import.meta.resolve("./kernel-memory.ts"));
  const child = Bun.spawn([process.execPath, script, ...args], {
    env: { ...process.env, ...env },
    stdout: "pipe",
    stderr: "inherit",
  });
  const text = await child.stdout.text();
  if ((await child.exited) !== 0) throw new Error(`Memory of ${args.join(" ")} was not measured`);
  const lines = text.trim().split("\n");
  return lines.map((line) => {
    const [heapBytes = Number.NaN, rssBytes = Number.NaN] = line.split(" ").map(Number);
    return { heapBytes, rssBytes };
  });
}

type SwappedCode = "object" | "folder";

async function measureSwaps(code: SwappedCode, env?: Readonly<Record<string, string>>): Promise<readonly Memory[]> {
  const runs: (readonly Memory[])[] = [];
  for (let count = 0; count < processes; count += 1)
    runs.push(await measureInChild(["swap", code, ...swapMarks.map(String)], env));
  return swapMarks.map((_mark, index) => ({
    heapBytes: Math.min(...runs.map((run) => run[index]?.heapBytes ?? Number.NaN)),
    rssBytes: Math.min(...runs.map((run) => run[index]?.rssBytes ?? Number.NaN)),
  }));
}

function growth(from: number, to: number): string {
  const percent = ((to / from - 1) * 100).toFixed(1);
  return `${(from / 1e6).toFixed(1)} to ${(to / 1e6).toFixed(1)} MB (${percent.startsWith("-") ? "" : "+"}${percent} %)`;
}

function growthOfBoth(from: Memory | undefined, to: Memory | undefined): string {
  if (from === undefined || to === undefined) throw new Error("Memory was not measured");
  return `heap ${growth(from.heapBytes, to.heapBytes)}, process ${growth(from.rssBytes, to.rssBytes)}`;
}

/** Disables the engine's own code caches, so that remaining growth is the host's. */
const keepsNoCode = { BUN_JSC_useJIT: "0", BUN_JSC_useCodeCache: "0" };

async function swapRows(code: SwappedCode, name: string): Promise<readonly Row[]> {
  const [early, late, last] = await measureSwaps(code);
  const [earlyHeld, lateHeld] = await measureSwaps(code, keepsNoCode);
  const isFlat = (from = Number.NaN, to = Number.NaN): boolean => to <= from * 1.05;
  return [
    {
      subject: `memory after 1,000 swaps, beside after 100: ${name}`,
      measured: growthOfBoth(early, late),
      target: "5 % more",
      isMet: isFlat(early?.heapBytes, late?.heapBytes) && isFlat(early?.rssBytes, late?.rssBytes),
    },
    { subject: "– after 3,000, beside after 1,000", measured: growthOfBoth(late, last) },
    { subject: "– with the engine's compiler and code cache off", measured: growthOfBoth(earlyHeld, lateHeld) },
  ];
}

async function measureLoaded(name: keyof typeof loaders): Promise<string> {
  const [before, after] = await measureInChild(["load", name, String(loadedForMemory)]);
  if (before === undefined || after === undefined) throw new Error("Memory was not measured");
  return `${((after.heapBytes - before.heapBytes) / loadedForMemory / 1_000).toFixed(1)} KB of heap`;
}

export async function kernelMemory(): Promise<readonly Row[]> {
  return [
    {
      subject: `memory per loaded extension, of ${loadedForMemory.toLocaleString("en")}`,
      measured: await measureLoaded("kernel"),
    },
    { subject: "– cordis", measured: await measureLoaded("cordis") },
    { subject: "– avvio", measured: await measureLoaded("avvio") },
    ...(await swapRows("object", "a built-in extension")),
    ...(await swapRows("folder", "new code from a folder")),
  ];
}
