import { createTempFolder, startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { chmod, mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { incipit, type CommandResult } from "../support/host-process.ts";
import { sentSystemTexts } from "../support/sent-system-texts.ts";

interface World extends AsyncDisposable {
  readonly home: string;
  readonly work: string;
  readonly model: RecordingModelServer;
  run(args: readonly string[], editorScript?: string): Promise<CommandResult>;
}

async function newWorld(): Promise<World> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTempFolder());
  const model = stack.use(await startRecordingModelServer());
  const home = await realpath(folder.path);
  const work = join(home, "work");
  await mkdir(work);
  const config = join(home, ".config/incipit/incipit.toml");
  await Bun.write(
    config,
    `model = "local/test"\nproviders.local = { kind = "openai-compatible", base_url = "${model.url}" }\n[profiles.mine]\nsystem_prompt = "Mine."\n`,
  );
  const editor = join(home, "editor.sh");
  const owned = stack.move();
  return {
    home,
    work,
    model,
    async run(args, script) {
      await Bun.write(editor, `#!/bin/sh\nset -e\n${script ?? "exit 3"}\n`);
      await chmod(editor, 0o755);
      return incipit(args, { cwd: work, home, env: { EDITOR: editor } });
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function lastTold(world: World): readonly string[] {
  return sentSystemTexts("openai-chat", world.model.requests.at(-1)?.body ?? "");
}

test("incipit agents creates, edits byte for byte, uses and removes an agent", async () => {
  await using world = await newWorld();

  const made = await world.run(["agents", "new", "poet"]);
  const path = join(world.work, ".agents/poet.md");
  const edited = await world.run(
    ["agents", "edit", "poet"],
    `printf -- '---\\r\\ndescription: Rhymes\\r\\nx-other: [ "kept" ] # by others\\r\\n---\\r\\nRhyme.\\r\\n' > "$1"`,
  );
  const answered = await world.run(["Hello", "--profile", "poet"]);
  const shown = await world.run(["agents", "show", "poet"]);
  const listed = await world.run(["agents"]);
  const kept = await world.run(["agents", "remove", "poet"]);
  const removed = await world.run(["agents", "remove", "poet", "--yes"]);
  const gone = await world.run(["agents", "show", "poet"]);

  expect(made).toMatchObject({ exitCode: 0, stdout: `${path}\n` });
  expect(edited).toMatchObject({ exitCode: 0 });
  expect(edited.stderr).toContain("Rhymes");
  expect(answered).toMatchObject({ exitCode: 0 });
  expect(lastTold(world)).toEqual(["Rhyme."]);
  expect(shown.stdout).toBe('---\r\ndescription: Rhymes\r\nx-other: [ "kept" ] # by others\r\n---\r\nRhyme.\r\n');
  expect(listed.stdout).toMatch(/^poet +folder +- +Rhymes\nmine +configuration +-\n$/);
  expect(kept).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("--yes") });
  expect(removed).toMatchObject({ exitCode: 0 });
  expect(await Bun.file(path).exists()).toBe(false);
  expect(gone).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('There is no agent "poet" here') });
});

test("a user's agent applies in every folder, after the folder's own", async () => {
  await using world = await newWorld();

  const own = await world.run(["agents", "new", "poet", "--user"]);
  await world.run(["agents", "new", "poet"]);
  const listed = await world.run(["agents", "list"]);

  expect(own.stdout).toBe(`${join(world.home, ".config/incipit/agents/poet.md")}\n`);
  expect(listed.stdout).toMatch(/^poet +folder /);
  expect(listed.stderr).toContain("does not count:");
  expect(listed.stderr).toContain(".config/incipit/agents/poet.md");
});

test("an invalid edited file is reported and kept, and shared files open in place", async () => {
  await using world = await newWorld();
  await world.run(["agents", "new", "poet"]);

  const broken = await world.run(["agents", "edit", "poet"], `printf 'Rhyme.\\n' > "$1"`);
  const path = join(world.work, ".agents/poet.md");
  await Bun.write(join(world.work, "agents.md"), "# reader\n```agent\ndescription: Reads\n```\nRead.\n");
  const untrusted = await world.run(["agents", "show", "reader"]);

  expect(broken).toMatchObject({ exitCode: 1 });
  expect(broken.stderr).toContain(`${path}, line 1: It has no front matter`);
  expect(await Bun.file(path).text()).toBe("Rhyme.\n");
  expect(untrusted).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("incipit trust add") });
});

test("impossible actions are rejected with advice", async () => {
  await using world = await newWorld();
  await world.run(["agents", "new", "poet"]);

  for (const [args, exitCode, told] of [
    [["agents", "new", "poet"], 1, "incipit agents edit poet"],
    [["agents", "new", "../poet"], 2, "must be letters"],
    [["agents", "edit", "mine"], 1, "[profiles.mine]"],
    [["agents", "remove", "mine", "--yes"], 1, "[profiles.mine]"],
    [["agents", "edit", "pet"], 1, 'did you mean "poet"?'],
    [["agents", "edit", "poet"], 1, "ended with the code 3"],
    [["agents", "edit"], 2, "incipit agents edit AGENT"],
    [["agents", "lsit"], 2, '"list"'],
    [["agents", "list", "--user"], 2, '"--user" is for "incipit agents new NAME"'],
    [["agents", "new", "x", "--yes"], 2, '"--yes" is for "incipit agents remove AGENT"'],
  ] as const) {
    const result = await world.run(args);
    expect({ args, exitCode: result.exitCode, stderr: result.stderr }).toEqual({
      args,
      exitCode,
      stderr: expect.stringContaining(told),
    });
  }
});

test("a command is sent by name from a shell, unless a space precedes it", async () => {
  await using world = await newWorld();
  await Bun.write(join(world.home, ".config/incipit/commands/twice.md"), "Say $1 twice.");

  const sent = await world.run(["/twice hello"]);
  const refused = await world.run(["/twise hello"]);
  const text = await world.run([" /twise hello"]);
  const path = await world.run(["/etc/hosts says what?"]);

  expect([sent, text, path].map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
  expect(refused).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/did you mean "twice"\?.*a space in front/),
  });
  expect(world.model.requests.map(({ body }) => /"content":"([^"]*)"\}\]/.exec(body)?.[1])).toEqual([
    "Say hello twice.",
    " /twise hello",
    "/etc/hosts says what?",
  ]);
});
