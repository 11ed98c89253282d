import { expect, test } from "bun:test";
import { mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { World } from "../support/world.ts";

function steady(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID")
    .replaceAll(/[0-9a-f]{64}/g, "HASH")
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d\.\d{3}Z| UTC)/g, "TIME")
    .replaceAll(/\d+\.\d\d s/g, "N s");
}

test("the guide's first command prints the documented output", async () => {
  await using world = await World.start({
    config: () => 'system_prompt = "You are a careful helper. [if file:AGENTS.md][file:AGENTS.md][endif]"\n',
    files: { "AGENTS.md": "Answer in one sentence." },
  });

  await world.run(["What do you know of me?"]);
  const list = (await world.run(["conversations", "list"])).stdout;
  const shown = await world.run(["record", "show", list.split(" ")[0] ?? ""]);

  const guide = await Bun.file(join(import.meta.dir, "../../docs/guide/records.md")).text();
  const block = /```console\n([\s\S]*?)```/.exec(guide)?.[1] ?? "";
  const answers = block.split("\n").filter((line) => !line.startsWith("$ "));
  expect(steady(list + shown.stdout)).toBe(steady(answers.join("\n")));
}, 300_000);

test("record export writes a shareable folder of a step without secrets, never overwriting", async () => {
  const key = "planted-key-of-a-vendor";
  await using world = await World.start({ config: 'providers.local.api_key_env = "K"', env: { K: key } });
  const host = await world.host();
  const { id } = await host.createConversation();
  const secret = "ghp_plantedInAMessage0123456789abcdefghijk";
  await host.turn(id, { input: "Plain" });
  await host.turn(id, { input: `Use ${secret} and <b>this</b>` });
  const run = (...args: readonly string[]): ReturnType<World["run"]> => world.run(["record", ...args]);

  const plain = await run("export", id, "one", "--step", "1");
  const redacted = await run("export", id, "two", "--json");
  await mkdir(world.path("empty"));
  const intoEmpty = await run("export", id, "empty", "--step", "last");
  const again = await run("export", id, "two");

  expect([plain.exitCode, redacted.exitCode, intoEmpty.exitCode, again.exitCode]).toEqual([0, 0, 0, 1]);
  expect(again.stderr).toContain("is not empty");
  const files = await readdir(world.path("two"));
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
  expect((await stat(world.path("two"))).mode & 0o777).toBe(0o700);
  expect(await world.read("one/request.json")).toBe(world.bodies[0] ?? "");
  expect(await world.read("two/request.json")).toBe(
    world.bodies[1]?.replaceAll(secret, "[redacted:github-token]") ?? "",
  );
  expect(await world.read("two/index.html")).toContain("&lt;b&gt;this&lt;/b&gt;");
  expect(await world.read("two/request-head.txt")).toContain("authorization: [redacted:credential]");
  for (const name of files) {
    const text = await world.read(join("two", name));
    for (const planted of [secret, key, host.token]) expect([name, text.includes(planted)]).toEqual([name, false]);
  }
}, 300_000);
