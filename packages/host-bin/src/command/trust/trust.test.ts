import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { openTrustStore, type TrustStore } from "@incipit/host/trust";
import { answeringHost } from "../testing/answering-host.ts";
import { runCommand } from "../testing/run-command.ts";

interface World extends AsyncDisposable {
  readonly cwd: string;
  readonly store: TrustStore;
  run(
    ...args: readonly string[]
  ): Promise<{ readonly exitCode: number; readonly stdout: string; readonly stderr: string }>;
  sha256(): Promise<string>;
}

async function newWorld(files: Readonly<Record<string, string>> = {}): Promise<World> {
  const temp = await createTempFolder();
  const home = await realpath(temp.path);
  const cwd = join(home, "sent");
  await Bun.write(join(cwd, "other.txt"), "");
  for (const [name, text] of Object.entries(files)) await Bun.write(join(cwd, name), text);
  const dataFolder = join(home, "data");
  const run: World["run"] = (...words) => runCommand(["trust", ...words], { ...answeringHost(), dataFolder });
  return {
    cwd,
    store: openTrustStore(dataFolder, () => undefined),
    run,
    sha256: async () => /--sha256 ([0-9a-f]{64})/.exec((await run("show", cwd)).stdout)?.[1] ?? "",
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  };
}

const rules = { "AGENTS.md": "Rules" };

test("trust add trusts a folder, and trust remove revokes it", async () => {
  await using world = await newWorld(rules);
  const { cwd, store } = world;
  const sha256 = await world.sha256();

  const added = await world.run("add", cwd, "--sha256", sha256);
  const inJson = await world.run("add", cwd, "--sha256", sha256, "--json");
  const shown = await world.run("show", cwd);
  const removed = await world.run("remove", cwd);

  expect(added).toMatchObject({ exitCode: 0, stdout: `"${cwd}" is trusted with what it holds now\n` });
  expect(added.stderr).toContain("may tell models what AGENTS.md says");
  expect(JSON.parse(inJson.stdout)).toMatchObject({ trusted: { path: cwd }, sha256 });
  expect(shown.stdout).toContain(`Trusted folders\n  "${cwd}"  since `);
  expect(shown.stdout).not.toContain("To trust it");
  expect(removed).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining(`"${cwd}" is not trusted any more`),
  });
  expect(store.folders()).toEqual([]);
  expect(await world.run("remove", cwd)).toMatchObject({
    exitCode: 1,
    stdout: "",
    stderr: `"${cwd}" was not trusted; "incipit trust" lists what is\n`,
  });
});

test("trust remove revokes the trust of a deleted folder, and prints JSON on request", async () => {
  await using world = await newWorld();
  const gone = join(world.cwd, "gone");
  world.store.trust(gone, {});

  const { stdout } = await world.run("remove", gone, "--json");

  expect(JSON.parse(stdout)).toEqual({ removed: gone });
  expect(world.store.folders()).toEqual([]);
});

test("trust take-back accepts an id prefix, but not an empty or blank one", async () => {
  await using world = await newWorld();
  const { cwd, store } = world;
  store.trust(cwd, {});
  store.allow(cwd, {
    tool: "shell",
    by: { kind: "host", extension: "workspace-tools" },
    grants: ["shell(git status:*)"],
    folder: "1-1",
  });
  const id = store.folder(cwd)?.allowed[0]?.id ?? "";

  for (const nothing of ["", "  ", "\t"])
    expect(await world.run("take-back", nothing).catch((error: unknown) => error)).toMatchObject({
      name: "UsageError",
      message: `${JSON.stringify(nothing)} names nothing: write the beginning of the id of what was allowed; to see them: incipit trust`,
    });
  expect(store.folder(cwd)?.allowed).toHaveLength(1);
  const taken = await world.run("take-back", id.slice(0, 8));

  expect(taken).toMatchObject({
    exitCode: 0,
    stdout: "From now on you are asked again about: shell(git status:*)\n",
  });
  expect(store.folder(cwd)?.allowed).toEqual([]);
});

test("trust shows a folder without untrusted content, and one with an invalid configuration", async () => {
  await using world = await newWorld();

  expect(await world.run("show", world.cwd)).toMatchObject({
    exitCode: 0,
    stdout: `"${world.cwd}"\n  nothing that needs trust\nNo folder is trusted\n`,
  });
  await Bun.write(join(world.cwd, "incipit.toml"), "modle = 'x'");
  const wrong = await world.run("show", world.cwd);
  expect(wrong.exitCode).toBe(0);
  expect(wrong.stdout).toMatch(/Its configuration cannot be taken:\n {2}.*"modle" is unknown/);
  expect(wrong.stdout).not.toContain("To trust it");
});

test("trust add rejects an outdated hash and prints the current one", async () => {
  await using world = await newWorld(rules);
  const sha256 = await world.sha256();
  await Bun.write(join(world.cwd, "AGENTS.md"), "Others");

  const stale = await world.run("add", world.cwd, "--sha256", sha256);

  const now = await world.sha256();
  expect(stale).toMatchObject({
    exitCode: 1,
    stdout: "",
    stderr: expect.stringContaining(`Nothing was changed: what it holds now is ${now}, and not`),
  });
  expect(world.store.folders()).toEqual([]);
});

test("trust add accepts named files below the folder and explains rejected ones", async () => {
  await using world = await newWorld({ "docs/rules.md": "More" });
  const { cwd, store } = world;
  const named = join(cwd, "docs/rules.md");

  const other = await world.run("add", cwd, "--file", named, "--sha256", "other");
  const [, sha256 = ""] = /it holds now is ([0-9a-f]{64})/.exec(other.stderr) ?? [];

  expect(await world.run("add", cwd, "--file", named, "--sha256", sha256)).toMatchObject({ exitCode: 0 });
  expect(Object.keys(store.folder(cwd)?.files ?? {})).toEqual(["docs/rules.md"]);
  expect(await world.run("add", cwd, "--file", join(cwd, "none.md"))).toMatchObject({
    exitCode: 1,
    stderr: `Cannot trust "${join(cwd, "none.md")}": there is no such file\n`,
  });
  expect(await world.run("add", cwd, "--file", join(cwd, "docs"))).toMatchObject({
    exitCode: 1,
    stderr: expect.not.stringContaining("there is no such file"),
  });
});
