import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { sourceCommand, type HostProcess } from "../support/host-process.ts";
import { World } from "../support/world.ts";

const [bun = "", ...source] = sourceCommand;
const command = [bun, "--preload", join(import.meta.dir, "count-calls.ts"), ...source];
/** `WRITE_TURN_PATH=1 bun test test/host/turn-path.test.ts` writes it. */
const listPath = join(import.meta.dir, "turn-path.txt");
const callsSchema = z.array(z.object({ place: z.string(), count: z.int() }));
/** Beyond what a turn needs today; a turn gets shorter, not longer. */
const most = { functions: 710 };

const warmUps = 2;
const turns = 3;

async function callsOf(host: HostProcess, path: string): Promise<z.infer<typeof callsSchema>> {
  process.kill(host.pid, "SIGUSR2");
  const deadline = Date.now() + 30_000;
  while (!existsSync(path)) {
    if (Date.now() > deadline) throw new Error("The host wrote no calls");
    await new Promise((resolve) => setImmediate(resolve));
  }
  const calls = callsSchema.parse(JSON.parse(await readFile(path, "utf8")));
  await rename(path, `${path}.read`);
  return calls;
}

/** Returns the functions that each turn ran, from the HTTP request to its last event. */
async function warmTurns(world: World): Promise<readonly ReadonlySet<string>[]> {
  const output = join(world.home, "calls.json");
  const host = await world.host({ command, env: { COUNTED_CALLS: output } });
  const { id } = await host.createConversation();
  const found: ReadonlySet<string>[] = [];
  for (let turn = 0; turn < warmUps + turns; turn += 1) {
    world.model.enqueue({ kind: "text", chunks: ["Three: ", "the parser, ", "its test."] });
    await callsOf(host, output);
    await host.turn(id, { input: "Which files changed since yesterday?" });
    const calls = await callsOf(host, output);
    if (turn >= warmUps) found.push(new Set(calls.map(({ place }) => place)));
  }
  return found;
}

function filesOf(places: Iterable<string>): ReadonlySet<string> {
  return new Set([...places].map((place) => place.slice(0, place.lastIndexOf(":"))));
}

test("a message passes through the files of turn-path.txt, from the route to the provider and back", async () => {
  await using world = await World.start();

  const [first = new Set<string>(), ...others] = await warmTurns(world);

  const inEach = others.reduce<ReadonlySet<string>>((all, turn) => all.intersection(turn), first);
  const inAny = others.reduce<ReadonlySet<string>>((all, turn) => all.union(turn), first);
  const files = filesOf(inEach);
  if (process.env["WRITE_TURN_PATH"] !== undefined)
    await writeFile(listPath, `${[...files].toSorted().join("\n")}\n`);
  const listed = new Set((await Bun.file(listPath).text()).trimEnd().split("\n"));
  expect({
    added: [...files.difference(listed)],
    removed: [...listed.difference(filesOf(inAny))],
  }).toEqual({ added: [], removed: [] });
  expect(inEach.size).toBeLessThanOrEqual(most.functions);
});
