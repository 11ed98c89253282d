import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { createClient, routes, type Client } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { builtCommand } from "../command/built-command.ts";
import { HostProcess, incipit, sourceCommand } from "../support/host-process.ts";

const root = join(import.meta.dir, "../..");
const compilers = ["node_modules/.bin/tsc", "publish/node_modules/typescript-5.9/bin/tsc"];
const kinds = ["variable", "tool", "provider", "channel", "storage"] as const;

interface World extends AsyncDisposable {
  readonly root: string;
  readonly data: string;
  readonly config: string;
  readonly model: Awaited<ReturnType<typeof startRecordingModelServer>>;
  readonly command: (...args: readonly string[]) => ReturnType<typeof incipit>;
  readonly start: () => Promise<HostProcess>;
}

async function createWorld(command: readonly string[]): Promise<World> {
  const folder = await createTempFolder();
  const model = await startRecordingModelServer();
  const data = join(folder.path, "data");
  const config = join(folder.path, "incipit.toml");
  await Bun.write(
    config,
    `model = "local/test"\n[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n`,
  );
  const env = { USER: "Ada", OWN_PROVIDER_URL: model.url };
  const options = { cwd: folder.path, home: folder.path, env, command };
  return {
    root: folder.path,
    data,
    config,
    model,
    command: (...args) => incipit([...args, "--data", data, "--config", config], options),
    start: () => HostProcess.start({ data, config, cwd: folder.path, env: options.env, command }),
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function said(client: Client, id: Parameters<Client["sendTurn"]>[0], input: string): Promise<string> {
  let text = "";
  for await (const event of client.sendTurn(id, { input })) {
    if (event.type === "text-delta") text += event.text;
    if (event.type === "turn-end") expect(event).toMatchObject({ status: "completed" });
  }
  return text;
}

test("extensions new in a clone creates each kind with a passing test and types", async () => {
  await using world = await createWorld(sourceCommand);
  for (const kind of kinds) {
    const folder = join(world.root, `my-${kind}`);
    expect(await world.command("extensions", "new", folder, `--${kind}`)).toMatchObject({ exitCode: 0 });
    const tested = Bun.spawnSync([process.execPath, "test", "--timeout", "120000"], {
      cwd: folder,
      stderr: "pipe",
    });
    expect([kind, tested.exitCode, tested.stderr.toString()]).toEqual([
      kind,
      0,
      expect.stringContaining(" 0 fail"),
    ]);
    const typed = Bun.spawnSync([join(root, "node_modules/.bin/tsc"), "-p", folder]);
    expect([kind, typed.stdout.toString()]).toEqual([kind, ""]);
  }
}, 600_000);

test("[trial:built-scaffold] an extension of the installed command has types, which find errors and can be updated", async () => {
  await using world = await createWorld([await builtCommand()]);
  for (const kind of kinds) {
    const folder = join(world.root, kind);
    const begun = await world.command("extensions", "new", folder, `--${kind}`);
    expect(begun).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Its types are in") });
    for (const compiler of compilers) {
      const typed = Bun.spawnSync([join(root, compiler), "-p", folder, "--noEmit"]);
      expect([kind, compiler, typed.stdout.toString()]).toEqual([kind, compiler, ""]);
    }
  }

  const tool = join(world.root, "tool");
  await Bun.write(
    join(tool, "src/wrong.ts"),
    'import { nothing } from "@incipit/kernel";\nexport const it = nothing;\n',
  );
  const wrong = Bun.spawnSync([join(root, "node_modules/.bin/tsc"), "-p", tool]);
  expect(wrong.stdout.toString()).toContain("'\"@incipit/kernel\"' has no exported member 'nothing'");

  await Bun.write(join(tool, "types/old.d.ts"), "export {};\n");
  expect(await world.command("extensions", "types", tool)).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^Wrote \d+ files to tool\/types\n$/),
  });
  expect(await Bun.file(join(tool, "types/old.d.ts")).exists()).toBe(false);
  expect(await world.command("extensions", "types", world.root)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("has no package.json"),
  });
}, 600_000);

test("[trial:built-scaffold] a scaffolded variable, tool, provider and channel work in a running host", async () => {
  await using world = await createWorld([await builtCommand()]);
  const sent = Promise.withResolvers<unknown>();
  const updates: object[] = [];
  let come = Promise.withResolvers<void>();
  const write = (text: string): void => {
    updates.push({ id: updates.length + 1, person: "Ada", text });
    come.resolve();
    come = Promise.withResolvers();
  };
  const asked = Promise.withResolvers<void>();
  using service = Bun.serve({
    port: 0,
    async fetch(request) {
      const url = new URL(request.url);
      if (url.pathname === "/messages") {
        const message: unknown = await request.json();
        if (JSON.stringify(message).includes("A reply")) sent.resolve(message);
        return Response.json({ id: "1" });
      }
      asked.resolve();
      const after = Number(url.searchParams.get("after"));
      if (updates.length <= after) await come.promise; // The service holds the request until there is an update.
      return Response.json(updates.slice(after));
    },
  });
  await using host = await world.start();
  const client = createClient({ url: host.url, token: host.token });
  for (const kind of ["variable", "tool", "provider", "channel"] as const) {
    const folder = join(world.root, `own-${kind}`);
    await world.command("extensions", "new", folder, `--${kind}`);
    if (kind === "channel")
      for (const file of ["package.json", "src/index.ts"]) {
        const text = await readFile(join(folder, file), "utf8");
        await Bun.write(join(folder, file), text.replaceAll("127.0.0.1:8090", `127.0.0.1:${service.port}`));
      }
    expect(await world.command("extensions", "add", folder, "--yes")).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("active"),
    });
  }

  await client.call(routes.setSystemPrompt, { body: { template: "Be brief. [own_variable:greeting]" } });
  const { conversation } = await client.call(routes.createConversation, { body: {} });
  const call = { id: "call_1", name: "own_tool_greet", arguments: '{"name":"Grace"}' };
  world.model.enqueue({ kind: "tool-calls", calls: [call] });
  await said(client, conversation.id, "Greet Grace");
  expect(world.model.requests[0]?.body).toContain("Be brief. Hello, Ada!");
  expect(world.model.requests[1]?.body).toContain("Hello, Grace!");

  const ownModel = "own-provider/own-provider-small";
  const other = await client.call(routes.createConversation, { body: { model: ownModel } });
  world.model.enqueue({ kind: "text", chunks: ["It answers"] });
  expect(await said(client, other.conversation.id, "Hello")).toBe("It answers");
  expect(JSON.parse(world.model.requests.at(-1)?.body ?? "null")).toMatchObject({ model: "own-provider-small" });

  await asked.promise;
  const paired = await world.command("channels", "pair", "own-channel");
  const [code = ""] = /[A-Z0-9]{4}-[A-Z0-9]{4}/.exec(paired.stdout) ?? [];
  write(code);
  world.model.enqueue({ kind: "text", chunks: ["A reply"] });
  write("Hello");
  expect(await sent.promise).toMatchObject({ to: "Ada", text: expect.stringContaining("A reply") });
}, 600_000);

const storedSchema = z.object({ entries: z.array(z.object({ value: z.unknown() })) });

test("a scaffolded storage driver keeps a conversation across a restart", async () => {
  await using world = await createWorld([await builtCommand()]);
  const folder = join(world.root, "own-storage");
  await world.command("extensions", "new", folder, "--storage");
  expect(await world.command("extensions", "add", folder, "--yes")).toMatchObject({ exitCode: 0 });
  await Bun.write(world.config, `${await Bun.file(world.config).text()}[storage]\nuse = "my.own-storage"\n`);
  let id = "";
  {
    await using host = await world.start();
    ({ id } = await host.createConversation());
    const events = await host.turn(id, { input: "Are you in the file?" });
    expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
    expect(await host.kill("SIGTERM")).toBe(0);
  }
  const stored = storedSchema.parse(await Bun.file(`${folder}-data.json`).json());
  expect(JSON.stringify(stored)).toContain("Are you in the file?");

  await using host = await world.start();
  expect(await host.conversation(id)).toMatchObject({ id });
}, 600_000);

test("extensions new accepts one kind, and other actions accept none", async () => {
  await using world = await createWorld(sourceCommand);
  for (const [args, message] of [
    [["new", "a", "--tool", "--storage"], "are two extensions"],
    [["list", "--tool"], '"--tool" is for "incipit extensions new DIR"'],
    [["types", "."], "In a clone, the types are its sources"],
  ] as const) {
    if (args[0] === "types") await Bun.write(join(world.root, "package.json"), "{}");
    expect(await world.command("extensions", ...args)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(message),
    });
  }
}, 600_000);
