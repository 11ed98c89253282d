import { previewSystemPromptResponseSchema } from "@incipit/schema";
import { createTempFolder } from "@incipit/testkit";
import { extensionResponseSchema } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { rename, symlink } from "node:fs/promises";
import { join } from "node:path";
import { HostProcess, incipit, sourceCommand, testedCommand } from "../support/host-process.ts";

interface World extends AsyncDisposable {
  readonly root: string;
  readonly host: HostProcess;
  command(...args: readonly string[]): ReturnType<typeof incipit>;
  rendered(template: string): Promise<string>;
}

async function createWorld(env: Readonly<Record<string, string>> = {}): Promise<World> {
  const folder = await createTempFolder();
  const root = folder.path;
  const data = join(root, "data");
  const config = join(root, "incipit.toml");
  await Bun.write(config, "");
  const host = await HostProcess.start({ data, config, cwd: root, env });
  return {
    root,
    host,
    command: (...args) =>
      // The built file has no packages to link a new extension to.
      incipit([...args, "--data", data, "--config", config], {
        cwd: root,
        home: root,
        env,
        command: sourceCommand,
      }),
    async rendered(template) {
      const answer = await host.json("/system-prompt/preview", { body: { template } });
      return previewSystemPromptResponseSchema.parse(answer).systemPrompt;
    },
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test("an author creates, tests, adds, uses and removes an extension", async () => {
  await using world = await createWorld({ USER: "Ada" });
  const begun = await world.command("extensions", "new", "weather");
  expect(begun).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("[weather:greeting]") });
  const tested = Bun.spawnSync([process.execPath, "test", "--timeout", "120000"], {
    cwd: join(world.root, "weather"),
    stderr: "pipe",
  });
  expect([tested.exitCode, tested.stderr.toString()]).toEqual([0, expect.stringContaining(" 0 fail")]);

  const typed = Bun.spawnSync([
    join(import.meta.dir, "../../node_modules/.bin/tsc"),
    "-p",
    join(world.root, "weather"),
  ]);
  expect([typed.exitCode, typed.stdout.toString()]).toEqual([0, ""]);

  const asked = await world.command("extensions", "add", "weather");
  expect(asked).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("it reads the variable USER") });
  const added = await world.command("extensions", "add", "weather", "--yes");
  expect(added).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^my\.weather +0\.1\.0 +active/) });
  expect(await world.rendered("[weather:greeting]")).toBe("Hello, Ada!");
  expect((await world.command("extensions", "show", "my.weather")).stdout).toContain("/weather\n");
  expect((await world.command("extensions", "graph")).stdout).toContain(
    "prompt-variables@1  skills, rules, my.weather",
  );
  const swapped = await world.command("extensions", "swap", "my.weather");
  expect(swapped).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Swapped "my.weather"') });

  expect(await world.command("extensions", "remove", "my.weather")).toMatchObject({ exitCode: 0 });
  expect(await world.rendered("[weather:greeting]")).toBe("");
}, 300_000);

function startDev(
  root: string,
  path: string,
): {
  readonly until: (text: string) => Promise<void>;
  readonly end: () => Promise<number>;
  readonly exited: Promise<number>;
} {
  const child = Bun.spawn([...testedCommand, "extensions", "dev", path, "--yes", "--data", join(root, "data")], {
    cwd: root,
    env: { PATH: process.env["PATH"] ?? "", HOME: root, USER: "Ada" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let shown = "";
  return {
    async until(text) {
      while (!shown.includes(text)) {
        const { done, value = "" } = await reader.read();
        if (done) throw new Error(`It ended, having shown: ${shown}`);
        shown += value;
      }
      shown = "";
    },
    end() {
      child.kill("SIGINT");
      return child.exited;
    },
    exited: child.exited,
  };
}

test("extensions dev swaps on each save and keeps the last good version", async () => {
  await using world = await createWorld({ USER: "Ada" });
  await world.command("extensions", "new", "weather");
  const file = join(world.root, "weather/src/index.ts");
  const good = await Bun.file(file).text();
  const { until, end } = startDev(world.root, "weather");
  // On a busy machine, one save may appear in two parts, each with a swap.
  const swappedTo = async (greeting: string): Promise<void> => {
    do await until('Swapped "my.weather"');
    while ((await world.rendered("[weather:greeting]")) !== greeting);
  };

  await until('Added "my.weather"');
  await Bun.write(file, good.replace("Hello", "Good morning"));
  await swappedTo("Good morning, Ada!");
  await Bun.write(file, `${good}\nthis is no code`);
  await until("  weather/src/index.ts:17:6: Expected");
  await Bun.write(
    file,
    good.replace("host.contribute(", 'if (host.id !== "") throw new Error("no luck");\n  host.contribute('),
  );
  await until("(weather/src/index.ts:7:33)");
  expect(await world.rendered("[weather:greeting]")).toBe("Good morning, Ada!");
  await Bun.write(file, good);
  await swappedTo("Hello, Ada!");
  await Bun.write(file, good.replace("if (name", 'throw new Error("no sky");\n      if (name'));
  await swappedTo("");
  await until("no sky (weather/src/index.ts:1");
  const json = join(world.root, "weather/package.json");
  const described = await Bun.file(json).text();
  await Bun.write(json, described.replace('"api": "^1"', '"api": "1"'));
  await until('weather/package.json:8:5: api is "1", and must be a caret range');
  await Bun.write(json, described.replace('"api"', '"api" "^1"'));
  await until("weather/package.json:8:11:");
  await Bun.write(json, described);

  expect(await end()).toBe(0);
}, 300_000);

test("extensions dev follows links, survives deletion of the folder, and ends with the host", async () => {
  await using world = await createWorld({ USER: "Ada" });
  const { root } = world;
  await world.command("extensions", "new", "weather");
  await world.command("extensions", "add", "weather", "--yes");
  await world.command("extensions", "unload", "my.weather");
  const file = join(root, "weather/src/index.ts");
  const good = await Bun.file(file).text();
  await Bun.write(file, good.replace("Hello", "Good morning"));
  await symlink(join(root, "weather"), join(root, "link"));
  const dev = startDev(root, "link");

  await dev.until('Loaded "my.weather"');
  expect(await world.rendered("[weather:greeting]")).toBe("Good morning, Ada!");
  await rename(join(root, "weather"), join(root, "away"));
  await dev.until("it does not exist");
  await rename(join(root, "away"), join(root, "weather"));
  await dev.until('Swapped "my.weather"');
  await Bun.write(file, good);
  // A rename may appear in two parts, each with a swap.
  do await dev.until('Swapped "my.weather"');
  while ((await world.rendered("[weather:greeting]")) !== "Hello, Ada!");

  await world.host.kill("SIGKILL");
  await Bun.write(file, good.replace("Hello", "Good evening"));
  expect(await dev.exited).toBe(1);
}, 300_000);

test("errors of an extension's timers and promises are in its health, and the host continues", async () => {
  await using world = await createWorld();
  const manifest = { id: "acme.careless", version: "1.0.0", api: "^1" };
  const folder = join(world.root, "careless");
  await Bun.write(join(folder, "package.json"), JSON.stringify({ name: "careless", incipit: manifest }));
  const throwing = {
    "a timer": 'setTimeout(() => { throw new Error("from a timer"); }, 1);',
    "a promise": 'void (async () => { await null; throw new Error("from a promise"); })();',
    "a text in a promise": 'void Promise.reject("only a text");',
    "the host's clock": 'host.clock.setTimer(() => { throw new Error("from the clock"); }, 1);',
  };
  for (const [index, code] of Object.values(throwing).entries()) {
    const source = `import { defineExtension } from "@incipit/kernel";
export default defineExtension(${JSON.stringify(manifest)}, (host) => {
  void host;
  ${code}
});`;
    await Bun.write(join(folder, "src/index.ts"), source);
    if (index === 0) await world.host.json("/extensions", { body: { path: folder } });
    else await world.host.json("/extensions/acme.careless/swap", { method: "POST" });
    const message = /(?:Error|reject)\("([^"]+)"\)/.exec(code)?.[1] ?? "";
    let lastError: { readonly code: string; readonly message: string } | null = null;
    // Polls until the next turn of the host's event loop.
    for (let looks = 0; looks < 200 && !(lastError?.message.includes(message) ?? false); looks += 1) {
      const answer = extensionResponseSchema.parse(await world.host.json("/extensions/acme.careless"));
      ({ lastError } = answer.extension);
    }
    expect(lastError?.code).toBe("UNCAUGHT");
    expect(lastError?.message).toContain(message);
    if (index < 2) expect(lastError?.message).toContain("src/index.ts:4:");
  }
  expect(await world.host.json("/health")).toMatchObject({ status: "ok" });
}, 300_000);

test("errors of an extension during the host's start are in its health", async () => {
  await using folder = await createTempFolder();
  const root = folder.path;
  const options = { data: join(root, "data"), config: join(root, "incipit.toml"), cwd: root };
  await Bun.write(options.config, 'extensions.paths = ["./early"]');
  const manifest = { id: "acme.early", version: "1.0.0", api: "^1" };
  await Bun.write(join(root, "early/package.json"), JSON.stringify({ name: "early", incipit: manifest }));
  await Bun.write(
    join(root, "early/src/index.ts"),
    `import { defineExtension } from "@incipit/kernel";
export default defineExtension(${JSON.stringify(manifest)}, async () => {
  void Promise.reject(new Error("too early"));
  await new Promise((resolve) => setImmediate(resolve));
});`,
  );

  await using host = await HostProcess.start(options);

  const { extension } = extensionResponseSchema.parse(await host.json("/extensions/acme.early"));
  expect(extension).toMatchObject({ phase: "active", lastError: { code: "UNCAUGHT" } });
  expect(extension.lastError?.message).toContain("src/index.ts:3:");
}, 300_000);
