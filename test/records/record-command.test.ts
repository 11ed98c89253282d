import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { HostProcess, incipit, type CommandResult } from "../support/host-process.ts";

function steady(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID")
    .replaceAll(/[0-9a-f]{64}/g, "HASH")
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d\.\d{3}Z| UTC)/g, "TIME")
    .replaceAll(/\d+\.\d\d s/g, "N s");
}

test("the guide's first command prints the documented output", async () => {
  await using folder = await createTempFolder();
  const cwd = join(folder.path, "work");
  await Bun.write(
    join(folder.path, ".config/incipit/incipit.toml"),
    'system_prompt = "You are a careful helper. [if file:AGENTS.md][file:AGENTS.md][endif]"\n',
  );
  await Bun.write(join(cwd, "AGENTS.md"), "Answer in one sentence.");
  const run = (...args: readonly string[]): Promise<CommandResult> =>
    incipit(["--data", join(folder.path, "data"), ...args], { cwd, home: folder.path });

  await run("What do you know of me?");
  const list = (await run("conversations", "list")).stdout;
  const shown = await run("record", "show", list.split(" ")[0] ?? "");

  const guide = await Bun.file(join(import.meta.dir, "../../docs/guide/records.md")).text();
  const block = /```console\n([\s\S]*?)```/.exec(guide)?.[1] ?? "";
  const answers = block.split("\n").filter((line) => !line.startsWith("$ "));
  expect(steady(list + shown.stdout)).toBe(steady(answers.join("\n")));
}, 300_000);

test("record export writes a shareable folder of a step without secrets, never overwriting", async () => {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer();
  const data = join(folder.path, "data");
  const config = join(folder.path, "incipit.toml");
  await Bun.write(
    config,
    `model = "local/test"\n[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\napi_key_env = "K"\n`,
  );
  const key = "planted-key-of-a-vendor";
  const options = { data, config, cwd: folder.path, env: { K: key } };
  await using host = await HostProcess.start(options);
  const { id } = await host.createConversation();
  const secret = "ghp_plantedInAMessage0123456789abcdefghijk";
  await host.turn(id, { input: "Plain" });
  await host.turn(id, { input: `Use ${secret} and <b>this</b>` });
  const run = (...args: readonly string[]): Promise<CommandResult> =>
    incipit(["--data", data, "--config", config, "record", ...args], { cwd: folder.path, home: folder.path });

  const plain = await run("export", id, "one", "--step", "1");
  const redacted = await run("export", id, "two", "--json");
  await mkdir(join(folder.path, "empty"));
  const intoEmpty = await run("export", id, "empty", "--step", "last");
  const again = await run("export", id, "two");

  expect([plain.exitCode, redacted.exitCode, intoEmpty.exitCode, again.exitCode]).toEqual([0, 0, 0, 1]);
  expect(again.stderr).toContain("is not empty");
  const files = await readdir(join(folder.path, "two"));
  expect(files.toSorted()).toEqual([
    "README.md",
    "audit.json",
    "explain.json",
    "index.html",
    "record.json",
    "reply.json",
    "request-head.txt",
    "request.json",
    "system-prompt.txt",
  ]);
  expect((await stat(join(folder.path, "two"))).mode & 0o777).toBe(0o700);
  expect(await Bun.file(join(folder.path, "one/request.json")).text()).toBe(model.requests[0]?.body ?? "");
  expect(await Bun.file(join(folder.path, "two/request.json")).text()).toBe(
    model.requests[1]?.body.replaceAll(secret, "[redacted:github-token]") ?? "",
  );
  expect(await Bun.file(join(folder.path, "two/index.html")).text()).toContain("&lt;b&gt;this&lt;/b&gt;");
  expect(await Bun.file(join(folder.path, "two/request-head.txt")).text()).toContain(
    "authorization: [redacted:credential]",
  );
  for (const name of files) {
    const text = await Bun.file(join(folder.path, "two", name)).text();
    for (const planted of [secret, key, host.token]) expect([name, text.includes(planted)]).toEqual([name, false]);
  }
}, 300_000);

test("record suggests corrections and the available steps", async () => {
  await using folder = await createTempFolder();
  const run = (...args: readonly string[]): Promise<CommandResult> =>
    incipit(["--data", join(folder.path, "data"), "record", ...args], { cwd: folder.path, home: folder.path });
  const wrong: readonly (readonly [readonly string[], string])[] = [
    [[], '"record" needs show or export or replay'],
    [["exprt", "x"], 'did you mean "export"?'],
    [["export", "x"], "needs DIR"],
    [["replay", "x"], "--model PROVIDER/MODEL"],
    [["show", "x", "--step", "first"], '"--step" is the number'],
  ];
  for (const [args, expected] of wrong) {
    const { exitCode, stderr } = await run(...args);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(expected)]);
  }
}, 300_000);
