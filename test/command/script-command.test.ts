import { expect, test } from "bun:test";
import { chmod, lstat, mkdir, readdir, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { resultOf, spawnIncipit, testedCommand, type CommandResult } from "../support/host-process.ts";
import { World } from "../support/world.ts";

type Stdin = "ignore" | "pipe" | Blob;

/** Runs the command. The standard input `"pipe"` stays open and idle. */
function runWith(
  world: World,
  stdin: Stdin,
  args: readonly string[],
  command?: readonly string[],
): Promise<CommandResult> {
  const options = { cwd: world.work, home: world.home };
  return resultOf(spawnIncipit(args, stdin, command === undefined ? options : { ...options, command }));
}

const bodySchema = z.looseObject({ messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })) });

function asked({ lastBody }: World): readonly unknown[] {
  const { messages } = bodySchema.parse(JSON.parse(lastBody));
  return messages.filter(({ role }) => role === "user").map(({ content }) => content);
}

test("[trial:piped-input] piped text is part of the question, and - sends it alone", async () => {
  await using world = await World.start();

  const both = await world.run(["Review this"], { input: "+const a = 1;\n" });
  const bothAsked = asked(world);
  await world.run(["Nothing piped"], { input: " \n" });
  const nothingAsked = asked(world);
  await world.run(["-"], { input: "Only this\n" });
  const aloneAsked = asked(world);
  const empty = await world.run(["-"], { input: "" });
  const binary = await runWith(world, new Blob([new Uint8Array([0xff, 0xfe, 0x00])]), ["Look"]);
  const count = world.model.requests.length;

  expect(both.exitCode).toBe(0);
  expect([bothAsked, nothingAsked, aloneAsked]).toEqual([
    ["Review this\n\n+const a = 1;\n"],
    ["Nothing piped"],
    ["Only this\n"],
  ]);
  expect(empty).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("there is no question") });
  expect(binary).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("--file") });
  expect(count).toBe(3);
}, 60_000);

test("piped and attached text is decoded from UTF-16 and Windows-1252, without its byte order mark", async () => {
  await using world = await World.start();
  const text = "Ein größerer Otter.\n";
  const utf16 = Buffer.from(`\uFEFF${text}`, "utf16le");
  const file = world.path("notes.txt");
  const shown: unknown[] = [];
  for (const bytes of [
    Buffer.from(`\uFEFF${text}`),
    utf16,
    Buffer.from(utf16).swap16(),
    Buffer.from(text, "latin1"),
  ]) {
    await Bun.write(file, bytes);
    expect(await runWith(world, new Blob([bytes]), ["Look", "--file", file])).toMatchObject({ exitCode: 0 });
    shown.push(asked(world).join(""));
  }

  for (const one of shown) expect(one).toBe(`notes.txt:\n\n${text}\n\nLook\n\n${text}`);
}, 60_000);

test("incipit without arguments sends piped text, and ends with one line without any", async () => {
  await using world = await World.start();
  const file = join(world.home, "question.txt");
  await Bun.write(file, "From a file\n");
  const start = (stdin: Stdin, args: readonly string[] = []): Promise<CommandResult> => runWith(world, stdin, args);
  const closed = runWith(world, "ignore", [], ["sh", "-c", '"$@" <&-', "sh", ...testedCommand]);
  const silently = start("pipe");
  const nothing = start("ignore");

  const piped = await world.run([], { input: "q\n" });
  const pipedAsked = asked(world);
  const id = /incipit -s (\S+)/.exec(piped.stderr)?.[1] ?? "";
  const further = await world.run(["-s", id], { input: "And now?\n" });
  const furtherAsked = asked(world).at(-1);
  const { exitCode: fileCode } = await start(Bun.file(file));
  const fileAsked = asked(world);
  const json = await start(Bun.file(file), ["--json"]);
  const count = world.model.requests.length;
  const empty = await world.run([], { input: "" });
  const refused = [empty, await nothing, await silently, await closed];

  expect(piped).toMatchObject({ exitCode: 0, stdout: "Reply 1\n" });
  expect([pipedAsked, further.exitCode, furtherAsked]).toEqual([["q\n"], 0, "And now?\n"]);
  expect([fileCode, fileAsked, json.exitCode]).toEqual([0, ["From a file\n"], 0]);
  expect(json.stdout).toStartWith('{"type":"conversation"');
  for (const { exitCode, stderr } of refused) {
    expect([exitCode, stderr.trimEnd().split("\n").length]).toEqual([2, 1]);
    expect(stderr).toContain('incipit "What is new?"');
  }
  expect(world.model.requests).toHaveLength(count);
}, 60_000);

test("oversized text is rejected before anything is sent", async () => {
  await using world = await World.start();
  await world.write("big.txt", "x".repeat(6 * 1_048_576));

  const { exitCode, stderr } = await runWith(world, Bun.file(world.path("big.txt")), ["Sum it up"]);

  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("pipe less into it")]);
  expect(world.model.requests).toEqual([]);
}, 60_000);

test("-o writes through a link and keeps the file's mode", async () => {
  await using world = await World.start();
  const target = join(world.home, "notes.md");
  await Bun.write(target, "old");
  await chmod(target, 0o600);
  await symlink(target, world.path("link.md"));

  const { stdout } = await world.run(["-q", "-o", "link.md", "Hello"]);

  expect(await Bun.file(target).text()).toBe(stdout);
  expect((await stat(target)).mode & 0o777).toBe(0o600);
  expect((await lstat(world.path("link.md"))).isSymbolicLink()).toBe(true);
}, 60_000);

test("a question is sent without waiting for standard input that stays open and idle", async () => {
  await using world = await World.start();

  const { exitCode, stderr } = await runWith(world, "pipe", ["Hello"]);

  expect([exitCode, stderr]).toEqual([0, expect.stringContaining("Nothing came on standard input")]);
  expect(asked(world)).toEqual(["Hello"]);
}, 60_000);

test("-c continues the folder's last conversation, and -s one by prefix of id or title", async () => {
  await using world = await World.start();
  const elsewhere = join(world.home, "elsewhere");
  await mkdir(elsewhere);
  const none = await world.run(["-c", "And now?"]);
  await world.run(["First one"]);
  await world.run(["Second one"]);
  await world.run(["Another folder"], { cwd: elsewhere });

  await world.run(["-c", "And now?"]);
  const continued = asked(world);
  await world.run(["-s", "first", "Go on"]);
  const byTitle = asked(world);
  const listed = await world.run(["conversations", "--json"]);
  const ids = listed.stdout
    .trim()
    .split("\n")
    .map((line) => z.object({ id: z.string(), title: z.string() }).parse(JSON.parse(line)));
  const second = ids.find(({ title }) => title === "Second one")?.id ?? "";
  const history = await world.run(["conversations", "show", second.slice(0, 34), "--json"]);
  const several = await world.run(["-s", second.slice(0, 1), "Go on"]);
  const unknown = await world.run(["-s", "zzz", "Go on"]);
  const both = await world.run(["-c", "-s", second, "Go on"]);

  expect(none).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("no conversation in") });
  expect(continued).toEqual(["Second one", "And now?"]);
  expect(byTitle).toEqual(["First one", "Go on"]);
  expect(history.stdout).toContain(second);
  expect(several).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("3 conversations begin with") });
  expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('begins with "zzz"') });
  expect(both.exitCode).toBe(2);
}, 120_000);

test("[trial:one-call-model] -m with -s changes the conversation's model permanently and warns about its cache", async () => {
  await using world = await World.start();
  const modelOf = (): unknown => JSON.parse(world.lastBody).model;
  const first = await world.run(["First one"]);
  const id = /-s (\S+)/.exec(first.stderr)?.[1] ?? "";

  const changed = await world.run(["-s", id, "-m", "local/other", "Go on"]);
  const changedTo = modelOf();
  const same = await world.run(["-s", id, "-m", "local/other", "And more"]);
  await world.run(["-s", id, "And more still"]);
  const unknown = await world.run(["-s", id, "-m", "nobody/x", "Go on"]);

  expect(changed.stderr).toContain(
    "local/other answers from here on, no longer local/test: it reads all that was said anew",
  );
  expect([changedTo, modelOf()]).toEqual(["other", "other"]);
  expect(same.stderr).not.toContain("from here on");
  expect(unknown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("nobody") });
  expect(world.model.requests).toHaveLength(4);
}, 60_000);

test("[trial:json-id] -o writes the last answer atomically, -q is silent, and --json begins with the id", async () => {
  await using world = await World.start({ config: "tools.workspace = true" });
  world.model.enqueueCall("list_folder");
  world.model.enqueue({ kind: "text", chunks: ["The an", "swer"] }, { kind: "error", status: 400, body: "no" });

  const quiet = await world.run(["-q", "-o", "answer.md", "What is here?"]);
  const failed = await world.run(["-o", "answer.md", "Again"]);
  const nowhere = await world.run(["-o", "no/such/answer.md", "Again"]);
  const device = await world.run(["-o", "/dev/null", "Again"]);
  const json = await world.run(["--json", "-m", "local/other", "Hello"]);
  const [first, ...events] = json.stdout
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  const { conversationId } = z.object({ type: z.literal("conversation"), conversationId: z.string() }).parse(first);
  const shown = await world.run(["conversations", "show", conversationId]);

  expect(quiet).toEqual({ exitCode: 0, stdout: "The answer\n", stderr: "" });
  expect(await world.read("answer.md")).toBe("The answer\n");
  expect(failed.exitCode).toBe(1);
  expect(nowhere).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("its folder does not exist; name another one (-o FILE)"),
  });
  expect(device).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("not a regular file") });
  expect((await stat("/dev/null")).isCharacterDevice()).toBe(true);
  expect(world.model.requests).toHaveLength(4);
  expect(await readdir(world.work)).toEqual(["answer.md"]);
  expect(events.length).toBeGreaterThan(3);
  expect(shown.stdout).toContain("local/other");
}, 120_000);

test("[trial:unattended-denial] exit codes distinguish denial, limits and failure", async () => {
  await using world = await World.start({ config: "tools.workspace = true" });

  world.model.enqueueCall("write_file", { path: "a.txt", content: "a" });
  world.model.enqueueText("Could not");
  const denied = await world.run(["Write it"]);
  const toldModel = world.lastBody;
  world.model.enqueueCall("list_folder");
  world.model.enqueueCall("list_folder");
  const steps = await world.run(["--max-steps", "2", "List it"]);
  world.model.enqueue({ kind: "never" });
  const late = await world.run(["--timeout", "1s", "Wait"]);
  const wrong = await Promise.all(
    [
      ["--max-steps", "0"],
      ["--timeout", "soon"],
      ["--timeout", "9999h"],
    ].map((args) => world.run([...args, "Hello"])),
  );

  expect(denied).toMatchObject({ exitCode: 3, stdout: "Could not\n" });
  expect(toldModel).toContain("Nobody is there to allow this call");
  expect(toldModel).not.toContain("user denied");
  expect(steps).toMatchObject({
    exitCode: 4,
    stderr: expect.stringContaining("reached --max-steps (2 model calls) before"),
  });
  expect(late).toMatchObject({ exitCode: 124, stderr: expect.stringContaining("within 1 s") });
  expect(wrong.map(({ exitCode }) => exitCode)).toEqual([2, 2, 2]);
}, 120_000);

test("[trial:mistyped-command] a single lowercase word counts as a mistyped command unless confirmed", async () => {
  await using world = await World.start();
  const question = 'There is no command "logni". Send it as a question? [y/N] ';

  const script = await world.run(["logni"]);
  const no = await world.atTerminal(["logni"], [[question, "\r"]]);
  const before = world.model.requests.length;
  const yes = await world.atTerminal(["logni"], [[question, "y\r"]]);

  expect(script).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('ends with "?"') });
  expect([no.exitCode, before]).toEqual([2, 0]);
  expect(yes.exitCode).toBe(0);
  expect(asked(world)).toEqual(["logni"]);
}, 60_000);

test("--timeout and Ctrl-C end the command even when the host hangs", async () => {
  await using world = await World.start();
  const host = await world.host();
  world.model.enqueue({ kind: "never" }, { kind: "never" });
  const interrupted = spawnIncipit(["Take your time"], "ignore", { cwd: world.work, home: world.home });
  const late = world.run(["--timeout", "4s", "Take more time"]);
  await world.model.waitForRequests(2);

  process.kill(host.pid, "SIGSTOP");
  interrupted.kill("SIGINT");

  expect(await interrupted.exited).toBe(130);
  expect(await new Response(interrupted.stderr).text()).toContain(
    "The host did not say that it has stopped the turn",
  );
  expect(await late).toMatchObject({ exitCode: 124, stderr: expect.stringContaining("it may still work on it") });
}, 120_000);

// Only this device is always full: https://man7.org/linux/man-pages/man4/full.4.html
test.skipIf(process.platform !== "linux")(
  "an answer truncated by a full disk is reported with exit code 1",
  async () => {
    await using world = await World.start();
    const { work: cwd, home } = world;

    const full = Bun.spawn([...testedCommand, "-q", "Hello there"], {
      cwd,
      env: { PATH: process.env["PATH"] ?? "", HOME: home, LANG: "C.UTF-8" },
      stdin: "ignore",
      stdout: Bun.file("/dev/full"),
      stderr: "pipe",
    });

    expect([await full.exited, await new Response(full.stderr).text()]).toEqual([
      1,
      "Cannot write the whole output: the disk is full; make room, and print it again\n",
    ]);
  },
);
