import { expect, test } from "bun:test";
import { readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { HostProcess } from "../support/host-process.ts";
import { keys } from "../terminal/sitting.ts";
import { newTerminalWorld, type TerminalWorld } from "../terminal/terminal-world.ts";

/** Far above the time to notice a missing host, far below the lifetime of a host. */
const goneTimeoutMs = 20_000;

async function processesOf({ home }: TerminalWorld): Promise<readonly string[]> {
  const found: string[] = [];
  for (const pid of await readdir("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    const [words, cwd] = await Promise.all([
      readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => ""),
      readlink(`/proc/${pid}/cwd`).catch(() => ""),
    ]);
    if (words.includes(home) || cwd.startsWith(home)) found.push(words.replaceAll("\0", " "));
  }
  return found;
}

async function expectNothingLeft(world: TerminalWorld): Promise<void> {
  const untilMs = performance.now() + goneTimeoutMs;
  let left = await processesOf(world);
  while (left.length > 0 && performance.now() < untilMs) left = await processesOf(world);
  expect(left).toEqual([]);
}

async function expectFree(world: TerminalWorld): Promise<void> {
  const data = join(world.home, ".local/share/incipit");
  const config = join(world.home, ".config/incipit/incipit.toml");
  await using host = await HostProcess.start({ data, config, cwd: world.work });
  expect((await host.fetch("/health")).status).toBe(200);
}

const more = '[heartbeat]\nenabled = true\n[cron.jobs.tides]\nevery = "1h"\ntask = "Look"\n';

const commands: readonly (readonly string[])[] = [
  ["Hello there"],
  ["--json", "Hello there"],
  ["-c", "Go on"],
  ["list"],
  ["models"],
  ["audit"],
  ["prompt", "explain"],
  ["prompt", "set", "Be brief."],
  ["extensions"],
  ["schedules"],
  ["doctor"],
  ["token", "list"],
  ["conversations", "search", "Hello"],
];

test("[trial:hidden-host] a command ends everything it has started and frees the data folder", async () => {
  await using world = await newTerminalWorld({ config: `listen = { port = 0 }\n${more}` }); // The default port may be in use.

  for (const words of commands) {
    expect([words, (await world.run(words)).exitCode]).toEqual([words, 0]);
    expect([words, await processesOf(world)]).toEqual([words, []]);
  }

  await expectFree(world);
}, 300_000);

test("[trial:hidden-host] a background task without a host starts none and explains how", async () => {
  await using world = await newTerminalWorld();

  const { exitCode, stderr } = await world.run(["run", "Look around", "--background"]);

  expect(exitCode).toBe(1);
  expect(stderr).toContain("incipit serve");
  expect(await processesOf(world)).toEqual([]);
  await expectFree(world);
}, 300_000);

for (const [how, leave] of [
  ["left with Ctrl-D", (sitting: Sat) => sitting.type(keys.ctrl("d"))],
  ["whose window is closed", (sitting: Sat) => sitting.closeWindow()],
  ["that is killed", (sitting: Sat) => void process.kill(sitting.pid, "SIGKILL")],
] as const)
  test(`[trial:hidden-host] a terminal ${how} takes its host along`, async () => {
    await using world = await newTerminalWorld({ config: more });
    const sitting = await world.open();
    await sitting.enterUntil("Hello there", "Reply 1");
    expect(await processesOf(world)).not.toEqual([]);

    leave(sitting);
    await sitting.exited;

    await expectNothingLeft(world);
    await expectFree(world);
  }, 300_000);

type Sat = ReturnType<TerminalWorld["sit"]>;
