import { fuzzRuns, mcpWires, mutatedMcpScript, startScriptedHttpServer, type McpWire } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { McpWorld } from "./testing/mcp-world.ts";

const program = Bun.resolveSync("@incipit/testkit/scripted-mcp-server", import.meta.dir);

/** Real time after which a request without a result counts as hanging. */
const hangMs = 20_000;

/** Parallel runs would delay each other. */
const { firstSeed, count } = fuzzRuns(process.env, 150);

for (const [index, wire] of mcpWires.entries())
  test(`mcp-tools over ${wire} answers every request to a fuzzed server and loses no usable tool`, async () => {
    const lost: string[] = [];
    for (let seed = firstSeed + index; seed < firstSeed + count; seed += mcpWires.length)
      for (const loss of await lossesOf(seed, wire)) lost.push(`seed ${seed}: ${loss}`);

    expect(lost).toEqual([]);
  });

async function lossesOf(seed: number, wire: McpWire): Promise<readonly string[]> {
  const { script, isSilent, tools, texts } = mutatedMcpScript(seed);
  await using scope = new AsyncDisposableStack();
  const world = await startWorld(script, wire, scope);
  const shown = JSON.stringify(script);

  const listed = await settled(world, world.list(), isSilent);
  if (listed === undefined) return [`the list hangs: ${shown}`];
  const names = new Set(listed.tools.map(({ name }) => name));
  const missing = tools.filter((name) => !names.has(`x__${name}`));
  const lost = missing.map((name) => `"${name}" is lost (${listed.problems.join("; ")}): ${shown}`);
  if (!names.has("x__echo")) return lost;

  const stop = new AbortController();
  const called = world.call("x__echo", { text: "a" }, stop.signal);
  if (isSilent) await advanced(world, called, () => stop.abort(new Error("stopped by the turn")));
  const result = await settled(world, called, false);
  if (result === undefined) return [...lost, `the call hangs: ${shown}`];
  if (result === "") return [...lost, `the call has no result: ${shown}`];
  return [
    ...lost,
    ...texts.filter((text) => !result.includes(text)).map((text) => `"${text}" is not in ${result}: ${shown}`),
  ];
}

/** `undefined` when `work` hangs. `isSilent`: the server may not answer, so the clock is advanced past its deadline. */
async function settled<Result>(
  world: McpWorld,
  work: Promise<Result>,
  isSilent: boolean,
): Promise<Result | undefined> {
  if (isSilent) await advanced(world, work, () => undefined);
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), hangMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function advanced(world: McpWorld, work: Promise<unknown>, end: () => void): Promise<void> {
  let isSettled = false;
  void work.catch(() => undefined).then(() => (isSettled = true));
  for (let second = 0; second < 180 && !isSettled; second += 1) {
    for (let turn = 0; turn < 20 && !isSettled; turn += 1)
      await new Promise<void>((resolve) => setImmediate(resolve));
    await world.started.clock.advance(1_000);
  }
  if (!isSettled) end();
}

async function startWorld(
  script: ReturnType<typeof mutatedMcpScript>["script"],
  wire: McpWire,
  scope: AsyncDisposableStack,
): Promise<McpWorld> {
  if (wire === "stdio") {
    const args = [program, JSON.stringify(script)];
    return scope.use(await McpWorld.start(() => ({ x: { command: process.execPath, args } })));
  }
  const server = scope.use(startScriptedHttpServer(script, wire));
  return scope.use(await McpWorld.start(() => ({ x: { url: server.url } })));
}
