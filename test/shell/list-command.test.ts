import { conversationSchema } from "@incipit/schema";
import { expect, test } from "bun:test";
import { chmod, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { World } from "../support/world.ts";
import { expectScreen } from "./expected-screen.ts";
import { isCi } from "./shells.ts";

const titles = [
  "Mend the parser of dates, which takes the thirty-first of April for the first of May",
  "日本語の長いタイトルは、端末では一文字が二桁になる。それでも行は折り返さない",
  "A family 👩‍👩‍👧‍👦 and flags 🇨🇦🇯🇵 and a thumb 👍🏽, none of which is cut in two",
  "שלום עולם, ועוד כמה מילים כדי שהשורה תהיה ארוכה",
  "Short?",
];

async function talk(world: World, texts: readonly string[], cwd?: string): Promise<void> {
  for (const text of texts) await world.run(["-q", text], cwd === undefined ? {} : { cwd });
}

async function ids(world: World, ...args: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await world.run(["list", "--json", ...args]);
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => conversationSchema.parse(JSON.parse(line)).id);
}

function screenOf(
  world: World,
  args: readonly string[],
  { columns = 80, ...env }: { readonly columns?: number; readonly PATH?: string; readonly PAGER?: string } = {},
): ReturnType<World["atTerminal"]> {
  return world.atTerminal(args, [], { columns, term: "xterm", env });
}

function settled(screen: string, { work }: World): string {
  const names = work.split("/").slice(-2);
  return screen
    .replaceAll("\r\n", "\n")
    .replaceAll(
      /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g,
      "01a208b1-c1b4-7000-8000-000000000000",
    )
    .replaceAll(/^[0-9a-f]{8}-[0-9a-f]{4}(?= )/gm, "01a208b1-c1b4")
    .replaceAll(/\d\d-\d\d \d\d:\d\d/g, "11-27 14:30")
    .replaceAll(/\d{4}-11-27/g, "2026-11-27")
    .replaceAll(names[0] ?? "", "incipit-abcdef");
}

test("incipit list fits the terminal by display width", async () => {
  await using world = await World.start();
  await talk(world, titles);
  const id = (await ids(world))[0] ?? "";
  await world.run(["conversations", "archive", id]);

  for (const columns of [50, 80]) {
    const { screen, exitCode } = await screenOf(world, ["list", "all", "--no-pager"], { columns });
    expect(exitCode).toBe(0);
    for (const line of screen.split("\r\n")) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(columns);
    await expectScreen(`list-${columns}`, settled(screen, world));
  }
  const piped = await world.run(["list", "all"], { env: { COLUMNS: "50" } });
  expect(piped.stdout).toContain((titles[0] ?? "").slice(0, 70));
  expect(piped.stdout).toContain(id);
}, 300_000);

test("incipit list shows local times, and UTC with --json", async () => {
  await using world = await World.start();
  await talk(world, ["Hello there"]);

  const { stdout: json } = await world.run(["list", "--json"]);
  const { updatedAt } = conversationSchema.parse(JSON.parse(json));
  const { stdout } = await world.run(["list"], { env: { TZ: "Asia/Kathmandu" } });

  expect(updatedAt).toEndWith("Z");
  const there = new Date(new Date(updatedAt).valueOf() + (5 * 60 + 45) * 60_000).toISOString();
  expect(stdout).toContain(`${there.slice(0, 16).replace("T", " ")} GMT+5:45  Hello there`);
}, 300_000);

test("incipit list filters by folder and time, and limits the count", async () => {
  await using world = await World.start();
  const other = join(world.home, "other");
  await mkdir(other);
  await talk(world, ["One more", "Two more"]);
  await talk(world, ["Elsewhere I am"], other);
  await rm(other, { recursive: true });

  const all = await ids(world);
  const here = await ids(world, "--cwd", ".");
  const gone = await ids(world, "--cwd", other);
  const today = await ids(world, "--since", "today");
  const hour = await ids(world, "--since", "1h");
  const future = await ids(world, "--since", "2999-01-01");
  const two = await ids(world, "--limit", "2");
  const same = await world.run(["conversations"]);
  const wrong = await Promise.all([
    world.run(["list", "--since", "soon"]),
    world.run(["list", "--limit", "0"]),
    world.run(["list", "nonsense"]),
  ]);

  expect(all).toHaveLength(3);
  expect([gone, here]).toEqual([all.slice(0, 1), all.slice(1)]);
  // Shortly after midnight, today is short.
  expect(all.join()).toContain(today.join());
  expect([hour, future, two]).toEqual([all, [], all.slice(0, 2)]);
  expect(same.stdout.trim().split("\n")).toHaveLength(3);
  expect(wrong.map(({ exitCode }) => exitCode)).toEqual([2, 2, 2]);
}, 300_000);

test("incipit list uses $PAGER or less at a terminal, and none for a program", async () => {
  await using world = await World.start();
  const bin = join(world.home, "bin");
  await Bun.write(join(bin, "less"), '#!/bin/sh\necho "less $*"\nexec sed "s/^/less: /"\n');
  await chmod(join(bin, "less"), 0o755);
  const PATH = `${bin}:${process.env["PATH"] ?? ""}`;
  await talk(world, ["Hello there"]);

  const own = await screenOf(world, ["list"], { PATH, PAGER: "sed 's/^/mine: /'" });
  const found = await screenOf(world, ["list"], { PATH });
  const off = await screenOf(world, ["list", "--no-pager"], { PATH });
  const cat = await screenOf(world, ["list"], { PATH, PAGER: "cat" });
  const json = await screenOf(world, ["list", "--json"], { PATH, columns: 999 });
  const quit = await screenOf(world, ["list"], { PATH, PAGER: "exit 3" });
  const piped = await world.run(["list"], { env: { PATH, PAGER: "sed 's/^/mine: /'" } });

  expect(own.screen).toMatch(/^mine: [0-9a-f-]{13} {2}.*Hello there\r\n$/);
  expect(found.screen).toMatch(/^less -FRX\r\nless: [0-9a-f-]{13} {2}.*Hello there\r\n$/);
  for (const { screen } of [off, cat]) expect(screen).toMatch(/^[0-9a-f-]{13} {2}.*Hello there\r\n$/);
  expect(json.screen).toStartWith("{");
  expect(piped.stdout).toMatch(/^[0-9a-f-]{36} {2}.*Hello there\n$/);
  expect([own, found, off, cat, json, quit].map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0, 0, 0]);
}, 300_000);

test.skipIf(!isCi && Bun.which("less") === null)("incipit list ends when the user quits less early", async () => {
  await using world = await World.start();
  const host = await world.host();
  for (let count = 1; count <= 130; count += 1) await host.createConversation({ title: `Number ${count}` });

  const options = { columns: 80, term: "xterm" };
  const { screen, exitCode } = await world.atTerminal(["list"], [["Number 110", "q"]], options);
  const first = await screenOf(world, ["list"], { PAGER: "exec 0<&-; echo closed; sleep 0.3" });

  expect({ exitCode, screen }).toMatchObject({ exitCode: 0, screen: expect.not.stringContaining("Number 90") });
  expect(first).toEqual({ exitCode: 0, screen: "closed\r\n" });
});

test("bulk archive, show, export and delete continue after an invalid name", async () => {
  await using world = await World.start();
  await talk(world, ["One more", "Two more", "Three more"]);
  const all = await ids(world);
  const [third = "", second = "", first = ""] = all;
  const folder = world.path("out");
  await mkdir(folder);

  const archived = await world.run(["conversations", "archive", first, "nobody", second.slice(0, 30)]);
  const left = await ids(world);
  const back = await world.run(["conversations", "unarchive", first, second]);
  const shown = await world.run(["conversations", "show", first, third]);
  const exported = await world.run(["conversations", "export", first, second, "out"]);
  const files = await readdir(folder);
  const unasked = await world.run(["conversations", "delete", first, second]);
  const kept = await ids(world);
  const half = await world.run(["conversations", "delete", "--yes", "one", first.slice(0, 7)]);
  const keptByHalf = await ids(world);
  const deleted = await world.run(["conversations", "delete", "--yes", first, "nobody", "Two more"]);

  expect(archived).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('begins with "nobody"') });
  expect(left).toEqual([third]);
  expect([back.exitCode, shown.exitCode, exported.exitCode]).toEqual([0, 0, 0]);
  expect(shown.stdout.match(/^id /gm)).toHaveLength(2);
  expect(files.toSorted()).toEqual([`${first}.jsonl`, `${second}.jsonl`].toSorted());
  expect([unasked.exitCode, kept]).toEqual([1, all]);
  expect([half.exitCode, half.stdout, keptByHalf]).toEqual([1, "", all]);
  expect(half.stderr).toContain("--yes needs the whole title or at least 8 characters of the id");
  expect(deleted).toMatchObject({ exitCode: 1, stdout: `Deleted ${first}\nDeleted ${second}\n` });
  expect(await ids(world)).toEqual([third]);
}, 300_000);
