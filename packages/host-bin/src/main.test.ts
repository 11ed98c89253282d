import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { conversationResponseSchema } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import * as z from "zod";

const mainPath = join(import.meta.dir, "main.ts");
const built = process.env["CHECK_BUILT"];
const testedCommand = built === undefined ? [process.execPath, mainPath] : [built];

interface World extends AsyncDisposable {
  readonly path: string;
  readonly model: Awaited<ReturnType<typeof startRecordingModelServer>>;
}

async function createWorld(): Promise<World> {
  const folder = await createTempFolder();
  const model = await startRecordingModelServer();
  await Bun.write(
    join(folder.path, ".config/incipit/incipit.toml"),
    `model = "local/test"\nlisten.port = 0\n[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n`,
  );
  return {
    path: folder.path,
    model,
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

type Child = Bun.Subprocess<"pipe", "pipe", "pipe">;

function start({ path }: { readonly path: string }, ...args: readonly string[]): Child {
  return Bun.spawn([...testedCommand, ...args], {
    cwd: path,
    env: { PATH: process.env["PATH"] ?? "", HOME: path },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
}

async function end(child: Child, input = ""): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  void child.stdin.write(input);
  await child.stdin.end();
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exitCode, stdout, stderr };
}

test("incipit: Ctrl-C cancels the turn and exits with 130", async () => {
  await using world = await createWorld();
  world.model.enqueue({ kind: "never" });
  const child = start(world, "--json", "Hello");
  await world.model.waitForRequests(1);

  child.kill("SIGINT");
  const { exitCode, stdout } = await end(child);

  expect(exitCode).toBe(130);
  expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toMatchObject({
    type: "turn-end",
    status: "cancelled",
  });
}, 300_000);

test("incipit: commands on one data folder share the first host until the last is answered", async () => {
  await using world = await createWorld();
  world.model.enqueue({ kind: "text", chunks: ["slow", " end"], gate: true });
  const second = start(world, "first to ask, last to be answered");
  await world.model.waitForRequests(1);

  const others = await Promise.all([end(start(world, "one more")), end(start(world, "and one more"))]);
  for (let count = 0; count < 20; count += 1) world.model.release();
  const slow = await end(second);

  expect(others.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  expect(slow).toMatchObject({ exitCode: 0, stdout: "slow end\n" });
}, 300_000);

test("incipit: an in-process host outlives its command while other clients use it", async () => {
  await using world = await createWorld();
  world.model.enqueue(
    { kind: "text", chunks: ["first"], gate: true },
    { kind: "text", chunks: ["a", "b"], gate: true },
  );
  const owner = start(world, "Owner");
  await world.model.waitForRequests(1);
  const guest = start(world, "Guest");
  await world.model.waitForRequests(2);

  for (let count = 0; count < 20; count += 1) world.model.release();
  const ended = await Promise.all([end(owner), end(guest)]);

  expect(ended.map(({ exitCode, stdout }) => [exitCode, stdout])).toEqual([
    [0, "first\n"],
    [0, "ab\n"],
  ]);
}, 300_000);

test("incipit prompt set accepts a file, text or stdin, and prompt show prints it", async () => {
  await using world = await createWorld();
  await Bun.write(join(world.path, "template.md"), "from a file");
  const shown = async (): Promise<string> => (await end(start(world, "prompt", "show"))).stdout;

  expect(await end(start(world, "prompt", "set", "template.md"))).toMatchObject({ exitCode: 0 });
  expect(await shown()).toBe("from a file\n");
  expect(await end(start(world, "prompt", "set", "You are terse."))).toMatchObject({ exitCode: 0 });
  expect(await shown()).toBe("You are terse.\n");
  expect(await end(start(world, "prompt", "set", "-"), "from input é")).toMatchObject({ exitCode: 0 });
  expect(await shown()).toBe("from input é\n");

  const missing = await end(start(world, "prompt", "set", "./tmplate.md"));
  expect(missing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no file "./tmplate.md"') });
  expect(await shown()).toBe("from input é\n");
}, 300_000);

test("incipit exits silently when its reader has closed the pipe", async () => {
  await using world = await createWorld();
  const child = start(world, "--json", "X".repeat(100_000));
  const reader = child.stdout.getReader();
  await reader.read();
  await reader.cancel();

  await child.stdin.end();

  expect(await child.exited).toBe(0);
  expect(await new Response(child.stderr).text()).not.toContain("EPIPE");
}, 300_000);

test("incipit serve --json prints one line when ready, and SIGTERM exits with 0 during streams", async () => {
  await using world = await createWorld();
  const child = start(world, "serve", "--port", "0", "--json");
  const { value } = await child.stdout.getReader().read();
  const line = new TextDecoder().decode(value);
  const { url, page, token, pid } = JSON.parse(line);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const created = await fetch(`${url}/conversations`, { method: "POST", headers, body: "{}" });
  const { conversation } = conversationResponseSchema.parse(await created.json());
  const followers = await Promise.all(
    Array.from({ length: 5 }, () => fetch(`${url}/conversations/${conversation.id}/events`, { headers })),
  );

  child.kill("SIGTERM");
  const exitCode = await child.exited;

  expect(line.trim().split("\n")).toHaveLength(1);
  expect(page.startsWith(`${url}/#code=`)).toBe(true);
  expect(pid).toBe(child.pid);
  expect(exitCode).toBe(0);
  expect(await new Response(child.stderr).text()).not.toContain("did not end in time");
  await Promise.all(followers.map((follower) => follower.text()));
}, 300_000);

test("incipit serve exits with 0 when an extension has left a timer", async () => {
  await using world = await createWorld();
  const incipit = { id: "acme.leaks", version: "1.0.0", api: "^1" };
  const folder = join(world.path, "leaks");
  await Bun.write(join(folder, "package.json"), JSON.stringify({ name: "leaks", type: "module", incipit }));
  await Bun.write(
    join(folder, "src/index.ts"),
    `import { defineExtension } from "@incipit/kernel";
     export default defineExtension(${JSON.stringify(incipit)}, () => void setInterval(() => {}, 60_000));`,
  );
  const config = join(world.path, ".config/incipit/incipit.toml");
  await Bun.write(config, `extensions.paths = [${JSON.stringify(folder)}]\n${await Bun.file(config).text()}`);
  const child = start(world, "serve", "--port", "0", "--json");
  await child.stdout.getReader().read();

  child.kill("SIGTERM");
  const { exitCode, stderr } = { exitCode: await child.exited, stderr: await new Response(child.stderr).text() };

  expect(exitCode).toBe(0);
  expect(stderr).toContain("left behind");
  expect(stderr).not.toContain("recovered");
}, 300_000);

test("incipit chat exits with the code of its last answer, and survives its host", async () => {
  await using world = await createWorld();
  const server = start(world, "serve", "--json");
  await server.stdout.getReader().read();
  const chat = start(world, "chat");
  void chat.stdin.write("one\n");
  await world.model.waitForRequests(1);
  server.kill("SIGTERM");
  await server.exited;

  const { exitCode, stdout } = await end(chat, "two\n");

  expect(exitCode).toBe(0);
  expect(stdout).toContain("Reply 2");
}, 300_000);

test("incipit answers a question without generating code for schema parsers", async () => {
  await using world = await createWorld();
  const hook = join(world.path, "count-generated.ts");
  await Bun.write(
    hook,
    `let count = 0;
     globalThis.Function = new Proxy(Function, {
       construct(target, given) { count += 1; return Reflect.construct(target, given); },
       apply(target, self, given) { count += 1; return Reflect.apply(target, self, given); },
     });
     process.on("exit", () => process.stderr.write("generated " + count + "\\n"));`,
  );
  const child = Bun.spawn([process.execPath, "--preload", hook, mainPath, "Hello"], {
    cwd: world.path,
    env: { PATH: process.env["PATH"] ?? "", HOME: world.path },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });

  const { exitCode, stderr } = await end(child);

  expect({ exitCode, last: stderr.trim().split("\n").at(-1) }).toEqual({ exitCode: 0, last: "generated 0" });
});

test("incipit --version and --help load no schemas, which dominate the start", async () => {
  await using folder = await createTempFolder();
  const [list, report] = [join(folder.path, "loaded.json"), join(folder.path, "report.ts")];
  await Bun.write(
    report,
    `process.on("exit", () => require("node:fs").writeFileSync(${JSON.stringify(list)}, JSON.stringify(Object.keys(require.cache))));`,
  );
  for (const args of [["--version"], ["--help"], ["help", "chat"]]) {
    const child = Bun.spawn([process.execPath, "--preload", report, mainPath, ...args], {
      env: { PATH: process.env["PATH"] ?? "", HOME: folder.path },
      stdout: "ignore",
      stderr: "ignore",
    });
    await child.exited;
    const loaded = z.array(z.string()).parse(await Bun.file(list).json());

    expect(loaded).toContain(mainPath);
    expect(loaded.filter((file) => file.includes("/zod/"))).toEqual([]);
  }
});
