import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { World } from "../support/world.ts";

/** Without configuration, so that `offline/echo` answers. */
const nothing = { config: null };

test("incipit chat answers each line of piped input in one conversation", async () => {
  await using world = await World.start(nothing);
  const result = await world.run(["chat"], { input: "one\ntwo\n" });

  expect(result.exitCode).toBe(0);
  expect([...result.stdout.matchAll(/Messages: (\d+)\./g)].map(([, count]) => count)).toEqual(["1", "3"]);
  expect(result.stderr).toContain("incipit -s ");
});

test("incipit chat ends with Ctrl-C at the prompt, also after an answer", async () => {
  await using world = await World.start(nothing);

  const { exitCode, screen } = await world.atTerminal(
    ["chat"],
    [
      ["> ", "one\r"],
      ["> ", "\u0003"],
    ],
  );

  expect(exitCode).toBe(130);
  expect(screen).toContain("Go on with: incipit -s ");
}, 300_000);

test("incipit --json prints only JSON lines to stdout", async () => {
  await using world = await World.start(nothing);
  const { stdout, exitCode } = await world.run(["--json", "Hello"]);

  const types = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).type);
  expect(exitCode).toBe(0);
  expect([...types.slice(0, 2), types.at(-1)]).toEqual(["conversation", "turn-start", "turn-end"]);
});

test("incipit --file attaches files to the question: text as text, others as files", async () => {
  const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  await using world = await World.start({ ...nothing, files: { "notes.md": "Otters like fish" } });
  await world.write("dot.png", Buffer.from(dot, "base64"));

  const { exitCode, stderr } = await world.run(["--file", "notes.md", "--file", "dot.png", "What?"]);

  const id = /-s (\S+)/.exec(stderr)?.[1] ?? "";
  const { client } = await world.host();
  const { messages } = await client.call(routes.listMessages, { params: { id } });
  expect(exitCode).toBe(0);
  expect(messages[0]?.parts).toEqual([
    { type: "text", text: "notes.md:\n\nOtters like fish\n\n" },
    { type: "file", mediaType: "image/png", data: dot, filename: "dot.png" },
    { type: "text", text: "What?" },
  ]);
});

const id = "01a1fcd7-5c9a-7556-afda-76769002c75c";

test("incipit explains a mistake in one line that names a command, not a route", async () => {
  await using world = await World.start(nothing);
  for (const [args, code, said] of [
    [["--modle", "x"], 2, '"--model"'],
    [["two", "words"], 2, "quotes"],
    [["prompt", "frobnicate"], 2, "preview"],
    [["-s", "nonsense", "Hello"], 2, "begins with"],
    [["-s", id, "Hello"], 1, "No conversation"],
    [["--model", "nobody/x", "Hello"], 1, "[providers.NAME]"],
    [["--model", "gpt", "Hello"], 1, "PROVIDER/MODEL"],
    [["--model", "offline/echo", " "], 2, "The question is empty"],
    [["--config", "none.toml", "Hello"], 1, "none.toml"],
    [["--file", "none.txt", "Hello"], 1, "none.txt"],
    [["--file", ".", "Hello"], 1, "not a file"],
    [["--file", "/dev/zero", "Hello"], 1, "not a file"],
    [["audit", id], 1, '"incipit conversations" lists them'],
    [["record", "show", id], 1, '"incipit conversations" lists'],
    [["prompt", "show", "7"], 1, '"incipit prompt versions" lists them'],
  ] as const) {
    const { exitCode, stdout, stderr } = await world.run(args);

    expect([args, exitCode, stdout]).toEqual([args, code, ""]);
    expect(stderr).toContain(said);
    expect(stderr).not.toContain("GET /");
    expect([args, stderr.trim().split("\n").length]).toEqual([args, 1]);
  }
}, 300_000);

test("incipit serve explains what to do about a used port", async () => {
  await using world = await World.start(nothing);
  using taken = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("") });
  const { exitCode, stderr } = await world.run(["serve", "--port", String(taken.port)]);

  expect(exitCode).toBe(1);
  expect(stderr).toContain(String(taken.port));
  expect(stderr).toContain("--port");
});

test("incipit stores the token in a file that only its owner can read", async () => {
  await using world = await World.start(nothing);
  const { stdout } = await world.run(["token"]);

  const file = Bun.file(join(world.data, "token"));
  expect((await file.text()).trim()).toBe(stdout.trim());
  expect((await file.stat()).mode & 0o777).toBe(0o600);
});
