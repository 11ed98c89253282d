import { expect, test } from "bun:test";
import { createGitRepository, createTempFolder } from "@incipit/testkit";
import { dirname, join } from "node:path";
import { HostProcess, incipit, sourceCommand } from "../support/host-process.ts";
import { World } from "../support/world.ts";

const root = join(import.meta.dir, "../..");

const guidePath = "docs/guide/README.md";

async function readmeCommands(): Promise<readonly string[]> {
  const text = await Bun.file(join(root, "README.md")).text();
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)]
    .flatMap(([, block = ""]) => block.split("\n"))
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    .filter((line) => line !== "");
}

test("README names the pinned Bun and existing scripts", async () => {
  const { packageManager, scripts } = await Bun.file(join(root, "package.json")).json();

  const commands = await readmeCommands();

  expect(commands.length).toBeGreaterThan(4);
  for (const command of commands) {
    const [, version] = /^npx --yes (bun@\S+)/.exec(command) ?? [];
    if (version !== undefined) expect(version).toBe(packageManager);
    const [, script] = /bun(?:@\S+)? run (?:--silent )?(\w+)/.exec(command) ?? [];
    if (script !== undefined) expect(Object.keys(scripts)).toContain(script);
  }
});

async function incipitArguments(): Promise<readonly (readonly string[])[]> {
  const prefix = "incipit ";
  return (await readmeCommands())
    .filter((command) => command.startsWith(prefix))
    .map((command) =>
      [...command.slice(prefix.length).matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
        ([, a, b, c]) => a ?? b ?? c ?? "",
      ),
    );
}

test("README reaches a conversation in two foreground commands, before it starts a host", async () => {
  await using world = await World.start({ config: null });
  const commands = await readmeCommands();
  const own = commands.filter((command) => command.startsWith("./incipit"));
  const env = { OPENAI_API_KEY: "sk-planted-0123456789abcdef0123456789", OPENAI_BASE_URL: world.model.url };
  const sit = (command: string, answers: readonly (readonly [string, string])[]) =>
    world.atTerminal([], answers, {
      command: [join(root, "incipit"), ...command.split(" ").slice(1)],
      env: { ...env, INCIPIT_SCREEN_READER: "1" },
    });

  const setup = await sit(own[0] ?? "", [
    ["Which model?", "\r"],
    ["ask before each change or command?", "\r"],
  ]);
  const talk = await sit(own[1] ?? "", [
    ["ends it.", "Hello\r"],
    ["Reply ", "\u0004"],
  ]);

  expect(commands.slice(0, 2)).toEqual(["./incipit setup", "./incipit"]);
  expect(setup.exitCode).toBe(0);
  expect(talk.exitCode).toBe(0);
  const [host = "", ...more] = commands.filter((command) => command.includes("run start"));
  expect([more, commands.indexOf(host) > 1]).toEqual([[], true]);
}, 300_000);

test("README's start command serves a host with its page", async () => {
  const { scripts } = await Bun.file(join(root, "package.json")).json();
  await using folder = await createTempFolder();
  const [, served = ""] = /&& bun (.* serve)$/.exec(scripts.start) ?? [];
  const [, ...args] = served.split(" ").toReversed();

  await using host = await HostProcess.start({
    data: join(folder.path, "data"),
    config: await writeEmpty(join(folder.path, "incipit.toml")),
    cwd: folder.path,
    command: [process.execPath, ...args.toReversed().map((word) => word.replace(/^packages/, `${root}/packages`))],
  });

  expect((await host.fetch("/health")).status).toBe(200);
  expect(host.page).toStartWith(host.url);
}, 60_000);

async function writeEmpty(path: string): Promise<string> {
  await Bun.write(path, "");
  return path;
}

test("README's first conversation runs as written", async () => {
  await using folder = await createTempFolder();
  const options = { cwd: folder.path, home: folder.path, command: sourceCommand };
  // Providers are unreachable here; first-run.test.ts runs their commands against recording servers.
  const commands = (await incipitArguments()).filter(([first]) => first !== "extensions" && first !== "-m");
  expect(commands.length).toBeGreaterThanOrEqual(3);

  for (const args of commands) {
    const result = await incipit(args, options);
    expect({ args, ...result }).toMatchObject({ exitCode: 0 });
  }
}, 300_000);

/** The folder, column widths that depend on it, and times differ per run. */
function comparable(text: string): string {
  return text
    .replaceAll(/\S*\/AGENTS\.md/g, "AGENTS.md")
    .replaceAll(/ {2,}/g, "  ")
    .replaceAll(/\d+ ms\b/g, "N ms")
    .trim();
}

test("the guide's explanation of README's first prompt is the actual output", async () => {
  await using folder = await createTempFolder();
  const { path: cwd } = await createGitRepository(join(folder.path, "incipit"), { "README.md": "Read me" });
  const options = { cwd, home: folder.path, command: sourceCommand };
  const text = await Bun.file(join(root, guidePath)).text();
  const blocks = [...text.matchAll(/```console\n\$ incipit (.*)\n([\s\S]*?)```/g)];
  expect(blocks.length).toBe(1);
  const first = (await incipitArguments())[0] ?? [];
  expect(first.slice(0, 2)).toEqual(["prompt", "set"]);

  expect(await incipit(first, options)).toMatchObject({ exitCode: 0 });
  for (const [, command = "", shown = ""] of blocks) {
    const { stdout } = await incipit(command.split(" "), options);
    expect(comparable(stdout)).toStartWith(comparable(shown));
  }
}, 300_000);

test("the index's cache break is that of the guide, whose commands are tested", async () => {
  const text = await Bun.file(join(root, guidePath)).text();
  const guide = await Bun.file(join(root, "docs/guide/cache-breaks.md")).text();
  const [, shown = ""] = /```text\n(![\s\S]*?)```/.exec(text) ?? [];

  expect(shown).toContain("prompt-rebuilt");
  expect(guide).toContain(shown);
});

test("the guide documents every provider kind", async () => {
  const text = await Bun.file(join(root, guidePath)).text();
  const kinds = ["extension"];
  for (const path of new Bun.Glob("extensions/*/src/extension.ts").scanSync({ cwd: root })) {
    const [, served = ""] = /kinds: \{ providers: \[(.*?)\]/s.exec(await Bun.file(join(root, path)).text()) ?? [];
    kinds.push(...[...served.matchAll(/"([\w-]+)"/g)].map(([, kind = ""]) => kind));
  }

  const named = [...text.matchAll(/^\| `([\w-]+)` \| .* \| .* \|$/gm)].map(([, kind = ""]) => kind);

  expect(named.toSorted()).toEqual(kinds.toSorted());
});

test("README's first extension is created, confirmed, added and swapped", async () => {
  await using folder = await createTempFolder();
  const clone = join(folder.path, "clone");
  const data = join(folder.path, "data");
  const config = join(clone, "incipit.toml");
  await Bun.write(config, "");
  await using _host = await HostProcess.start({ data, config, cwd: clone });
  const run = (args: readonly string[]): ReturnType<typeof incipit> =>
    incipit([...args, "--data", data, "--config", config], {
      cwd: clone,
      home: folder.path,
      command: sourceCommand,
    });
  const commands = (await incipitArguments()).filter(([command]) => command === "extensions");
  expect(commands.map(([, action]) => action)).toEqual(["new", "add", "swap"]);

  for (const args of commands) {
    const isAdd = args[1] === "add";
    // Without a user, the command prints the request and adds nothing.
    const asked = isAdd ? await run(args) : undefined;
    if (isAdd) expect(asked).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("asks for this") });
    const result = await run(isAdd ? [...args, "--yes"] : args);
    expect({ args, ...result }).toMatchObject({ exitCode: 0 });
  }
}, 300_000);

test("README's comparison numbers are the measured ones", async () => {
  const speed = await Bun.file(join(root, "docs/speed.md")).text();
  const text = (await Bun.file(join(root, "README.md")).text()).replaceAll(/\s+/g, " ");
  const measured: readonly (readonly [string, string])[] = [
    ["15.3 ms against", "to 110 | p50 15.33 ms"],
    ["against 15.0 ms", "pi 1.6.0 | p50 15.02 ms"],
    ["opencode's (277 ms", "opencode 1.18.33 | p50 277.33 ms"],
    ["ready in 410 ms", "start to ready beside them | 410 ms"],
    ["pi needs 878 ms", "pi 1.6.0 | 878 ms"],
    ["opencode 4,256 ms", "opencode 1.18.33 | 4256 ms"],
    ["holds 114 MB", "after 110 turns beside them | 114.4 MB"],
    ["145 MB and 616 MB", "pi 1.6.0 | 145.3 MB"],
    ["145 MB and 616 MB", "opencode 1.18.33 | 616.2 MB"],
    [
      "pi takes 2.5 times",
      "pi 1.6.0 | 27.60 s (3 commands; install 24.88 s, question 2.72 s; 69.9 MB downloaded before): 2.5 x",
    ],
    ["opencode 4.5 times", "before): 4.5 x ours"],
    ["Of 38 million bytes", "100.00 % of 38,543,771 bytes"],
  ];

  for (const [said, row] of measured) {
    expect(text).toContain(said);
    expect(speed).toContain(row);
  }
});

test("the architecture lists every package, extension, service and extension point", async () => {
  const page = await Bun.file(join(root, "docs/architecture.md")).text();
  const names: string[] = [];
  for (const folder of ["packages", "extensions"]) {
    for await (const path of new Bun.Glob("*/package.json").scan({ cwd: join(root, folder) }))
      names.push(dirname(path).replace(/^provider-(?!offline$).*/, "provider-*"));
  }
  for (const folder of ["packages/kernel/src", "packages/service-contract/src"]) {
    for await (const path of new Bun.Glob("**/*.ts").scan({ cwd: join(root, folder) })) {
      if (path.endsWith(".test.ts") || path.startsWith("testing/")) continue;
      const source = await Bun.file(join(root, folder, path)).text();
      names.push(
        ...[...source.matchAll(/define(?:Handle|Point)(?:<[^(]*>)?\(\s*"([^"]+)"/g)].map(([, name = ""]) => name),
      );
    }
  }
  expect(names.length).toBeGreaterThan(30);

  expect(names.filter((name) => !page.includes(name))).toEqual([]);
});
