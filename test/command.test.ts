import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { incipit } from "./host-process.ts";

test("incipit chat answers each line of piped input, in one conversation", async () => {
  await using folder = await createTempFolder();
  const result = await incipit(["chat"], { cwd: folder.path, home: folder.path, input: "one\ntwo\n" });

  expect(result.exitCode).toBe(0);
  expect([...result.stdout.matchAll(/Messages: (\d+)\./g)].map(([, count]) => count)).toEqual(["1", "3"]);
  expect(result.stderr).toContain("incipit -s ");
});

test("incipit --json prints JSON lines and nothing else on stdout", async () => {
  await using folder = await createTempFolder();
  const { stdout, exitCode } = await incipit(["--json", "Hello"], { cwd: folder.path, home: folder.path });

  const types = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).type);
  expect(exitCode).toBe(0);
  expect([types[0], types.at(-1)]).toEqual(["turn-start", "turn-end"]);
});

const failures = [
  [["--modle", "x"], 2, '"model"'],
  [["two", "words"], 2, "quotes"],
  [["prompt", "frobnicate"], 2, "preview"],
  [["-s", "nonsense", "Hello"], 1, "UUID"],
  [["-s", "01a1fcd7-5c9a-7556-afda-76769002c75c", "Hello"], 1, "no conversation"],
  [["--model", "nobody/x", "Hello"], 1, "[providers.NAME]"],
  [["--config", "none.toml", "Hello"], 1, "none.toml"],
] as const;
for (const [args, code, said] of failures) {
  test(`incipit ${args.join(" ")} exits with ${code} and says why in one line`, async () => {
    await using folder = await createTempFolder();
    const { exitCode, stdout, stderr } = await incipit(args, { cwd: folder.path, home: folder.path });

    expect([exitCode, stdout]).toEqual([code, ""]);
    expect(stderr).toContain(said);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
}

test("incipit serve says what to do when its port is taken", async () => {
  await using folder = await createTempFolder();
  using taken = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("") });
  const { exitCode, stderr } = await incipit(["serve", "--port", String(taken.port)], {
    cwd: folder.path,
    home: folder.path,
  });

  expect(exitCode).toBe(1);
  expect(stderr).toContain(String(taken.port));
  expect(stderr).toContain("--port");
});

test("incipit keeps the token in a file that only its owner reads", async () => {
  await using folder = await createTempFolder();
  const { stdout } = await incipit(["token"], { cwd: folder.path, home: folder.path });

  const file = Bun.file(join(folder.path, ".local/share/incipit/token"));
  expect((await file.text()).trim()).toBe(stdout.trim());
  expect((await file.stat()).mode & 0o777).toBe(0o600);
});
