import { createTempFolder } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { atTerminal } from "../support/at-terminal.ts";
import { HostProcess, incipit, testedCommand } from "../support/host-process.ts";

test("incipit chat answers each line of piped input in one conversation", async () => {
  await using folder = await createTempFolder();
  const result = await incipit(["chat"], { cwd: folder.path, home: folder.path, input: "one\ntwo\n" });

  expect(result.exitCode).toBe(0);
  expect([...result.stdout.matchAll(/Messages: (\d+)\./g)].map(([, count]) => count)).toEqual(["1", "3"]);
  expect(result.stderr).toContain("incipit -s ");
});

test("incipit chat ends with Ctrl-C at the prompt, also after an answer", async () => {
  await using folder = await createTempFolder();
  const { path } = folder;
  const answers = [
    ["> ", "one\r"],
    ["> ", "\u0003"],
  ] as const;

  const { exitCode, screen } = await atTerminal({
    command: [...testedCommand, "chat"],
    cwd: path,
    home: path,
    answers,
  });

  expect(exitCode).toBe(130);
  expect(screen).toContain("Go on with: incipit -s ");
}, 300_000);

test("incipit --json prints only JSON lines to stdout", async () => {
  await using folder = await createTempFolder();
  const { stdout, exitCode } = await incipit(["--json", "Hello"], { cwd: folder.path, home: folder.path });

  const types = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).type);
  expect(exitCode).toBe(0);
  expect([...types.slice(0, 2), types.at(-1)]).toEqual(["conversation", "turn-start", "turn-end"]);
});

test("incipit --file attaches files to the question: text as text, others as files", async () => {
  await using folder = await createTempFolder();
  await Bun.write(join(folder.path, "notes.md"), "Otters like fish");
  await Bun.write(
    join(folder.path, "dot.png"),
    Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    ),
  );
  await Bun.write(join(folder.path, "incipit.toml"), "");
  const options = { data: join(folder.path, "data"), config: join(folder.path, "incipit.toml"), cwd: folder.path };
  await using host = await HostProcess.start(options);
  const args = ["--data", options.data, "--file", "notes.md", "--file", "dot.png", "What?"];

  const { exitCode } = await incipit(args, { cwd: folder.path, home: folder.path });

  const client = createClient({ url: host.url, token: host.token });
  const { conversations } = await client.call(routes.listConversations);
  const params = { id: conversations[0]?.id ?? "" };
  const { messages } = await client.call(routes.listMessages, { params });
  expect(exitCode).toBe(0);
  expect(messages[0]?.parts).toEqual([
    { type: "text", text: "notes.md:\n\nOtters like fish\n\n" },
    {
      type: "file",
      mediaType: "image/png",
      data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      filename: "dot.png",
    },
    { type: "text", text: "What?" },
  ]);
});

const failures = [
  [["--modle", "x"], 2, '"--model"'],
  [["two", "words"], 2, "quotes"],
  [["prompt", "frobnicate"], 2, "preview"],
  [["-s", "nonsense", "Hello"], 2, "begins with"],
  [["-s", "01a1fcd7-5c9a-7556-afda-76769002c75c", "Hello"], 1, "No conversation"],
  [["--model", "nobody/x", "Hello"], 1, "[providers.NAME]"],
  [["--model", "gpt", "Hello"], 1, "PROVIDER/MODEL"],
  [["--model", "offline/echo", " "], 2, "The question is empty"],
  [["--config", "none.toml", "Hello"], 1, "none.toml"],
  [["--file", "none.txt", "Hello"], 1, "none.txt"],
  [["--file", ".", "Hello"], 1, "not a file"],
  [["--file", "/dev/zero", "Hello"], 1, "not a file"],
] as const;
for (const [args, code, said] of failures) {
  test(`incipit ${args.join(" ")} exits with ${code} and a reason in one line`, async () => {
    await using folder = await createTempFolder();
    const { exitCode, stdout, stderr } = await incipit(args, { cwd: folder.path, home: folder.path });

    expect([exitCode, stdout]).toEqual([code, ""]);
    expect(stderr).toContain(said);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
}

const unknown = [
  [["audit", "01a1fcd7-5c9a-7556-afda-76769002c75c"], '"incipit conversations" lists them'],
  [["record", "show", "01a1fcd7-5c9a-7556-afda-76769002c75c"], '"incipit conversations" lists'],
  [["prompt", "show", "7"], '"incipit prompt versions" lists them'],
] as const;

for (const [args, said] of unknown) {
  test(`incipit ${args.join(" ")} refers to the listing command, not to a route`, async () => {
    await using folder = await createTempFolder();
    const { exitCode, stderr } = await incipit(args, { cwd: folder.path, home: folder.path });

    expect(exitCode).toBe(1);
    expect(stderr).toContain(said);
    expect(stderr).not.toContain("GET /");
  });
}

test("incipit serve explains what to do about a used port", async () => {
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

test("incipit stores the token in a file that only its owner can read", async () => {
  await using folder = await createTempFolder();
  const { stdout } = await incipit(["token"], { cwd: folder.path, home: folder.path });

  const file = Bun.file(join(folder.path, ".local/share/incipit/token"));
  expect((await file.text()).trim()).toBe(stdout.trim());
  expect((await file.stat()).mode & 0o777).toBe(0o600);
});
