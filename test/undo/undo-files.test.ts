import { ApiClientError, createClient, routes } from "@incipit/transport-contract";
import type { ConversationId, FileChanges } from "@incipit/schema";
import { expect, test } from "bun:test";
import { chmod, readdir, rm, stat, watch } from "node:fs/promises";
import { join } from "node:path";
import { addRemover, changesOf, startUndo, edit, remove, restore, states, turn, write } from "./undo-world.ts";

test("edited, replaced and created files are undone and redone after a restart", async () => {
  await using undo = await startUndo();
  const { world, host, id, cwd } = undo;
  const binary = new Uint8Array([0, 255, 1, 0, 128]);
  await world.write("run.sh", "#!/bin/sh\necho one\n");
  await chmod(join(cwd, "run.sh"), 0o750);
  await world.write("picture.bin", binary);
  world.calls(
    edit("run.sh", "one", "two"),
    edit("run.sh", "two", "three"),
    write("picture.bin", "no picture"),
    write("new/notes.md", "Notes\n"),
    ["shell", { command: "touch by-shell" }],
    ["read_file", { path: "run.sh" }],
  );
  const from = await turn(host, id);
  await host[Symbol.asyncDispose]();
  const second = await world.host();

  const listed = await changesOf(second, id, from);
  const { outcomes, restoration } = await restore(second, id, {
    from,
    paths: listed.files.map(({ path }) => path),
  });

  expect(listed.otherTools).toEqual(["shell"]);
  expect(listed.files.map(({ path, state, action }) => [path.slice(cwd.length), state, action])).toEqual([
    ["/new/notes.md", "restorable", "remove"],
    ["/picture.bin", "restorable", "write"],
    ["/run.sh", "restorable", "write"],
  ]);
  expect(listed.files[2]?.preview).toContain("-echo three\n+echo one\n");
  expect(outcomes).toEqual({ "notes.md": "removed", "picture.bin": "written", "run.sh": "written" });
  expect(await world.read("run.sh")).toBe("#!/bin/sh\necho one\n");
  expect((await stat(join(cwd, "run.sh"))).mode & 0o777).toBe(0o750);
  expect(await Bun.file(join(cwd, "picture.bin")).bytes()).toEqual(binary);
  expect(await world.has("new/notes.md")).toBe(false);
  expect(await world.has("by-shell")).toBe(true);

  const query = { restoration };
  const again = await second.client.call(routes.listFileChanges, { params: { id }, query });
  await restore(second, id, { restoration, paths: again.files.map(({ path }) => path) });

  expect(again.otherTools).toEqual([]);
  expect(await world.read("run.sh")).toBe("#!/bin/sh\necho three\n");
  expect(await world.read("picture.bin")).toBe("no picture");
  expect(await world.read("new/notes.md")).toBe("Notes\n");
}, 300_000);

test("files that differ from the turn's result are left alone: changed, removed or moved", async () => {
  await using undo = await startUndo();
  const { world, host, id, cwd } = undo;
  for (const name of ["mine", "between", "gone", "back", "same", "fine", "untouched"])
    await world.write(name, "old\n");
  const names = ["mine", "between", "gone", "back", "same", "fine"];
  const mute = ["write_file", { path: "untouched", content: "new" }] as const;
  world.calls(...names.map((name) => edit(name, "old", "new")), edit("fine", "no such text", "x"), mute);
  const from = await turn(host, id);
  await world.write("between", "by hand new\n");
  world.calls(edit("between", "by hand new", "by hand newer"));
  await turn(host, id);
  await world.write("mine", "new, and mine\n");
  await rm(join(cwd, "gone"));
  await world.write("back", "old\n");

  const listed = await changesOf(host, id, from);
  const all = [...listed.files.map(({ path }) => path), "/etc/passwd"];
  const { outcomes } = await restore(host, id, { from, paths: all });

  expect(listed.otherTools).toEqual([]);
  expect(states(listed)).toEqual({
    back: "unchanged",
    between: "changed",
    fine: "restorable",
    gone: "changed",
    mine: "changed",
    same: "restorable",
  });
  expect(outcomes).toEqual({
    back: "left",
    between: "left",
    fine: "written",
    gone: "left",
    mine: "left",
    passwd: "left",
    same: "written",
  });
  expect(await world.read("mine")).toBe("new, and mine\n");
  expect(await world.read("between")).toBe("by hand newer\n");
  expect(await world.has("gone")).toBe(false);
  expect(await world.read("fine")).toBe("old\n");
}, 300_000);

test("only a restoration still in effect counts: redone files are not restored twice", async () => {
  await using undo = await startUndo();
  const { world, host, id } = undo;
  const names = ["a.txt", "b.txt"].map((name) => join(world.work, name));
  for (const name of names) await Bun.write(name, "one\n");
  world.calls(edit("a.txt", "one", "two"), edit("b.txt", "one", "two"));
  const from = await turn(host, id);
  const newest = { restoration: "newest" };
  const params = { id };
  const listed = async (): Promise<Record<string, string>> =>
    states(await host.client.call(routes.listFileChanges, { params, query: { restoration: "newest" } }));
  const contents = async (): Promise<readonly string[]> => Promise.all(names.map((name) => Bun.file(name).text()));
  const refusal = async (): Promise<unknown> =>
    listed().catch((error: unknown) => (error instanceof ApiClientError ? error.code : error));

  for (let round = 1; round <= 2; round += 1) {
    // In parts, as for very many files.
    for (const name of names) await restore(host, id, { from, paths: [name] });
    expect(await contents()).toEqual(["one\n", "one\n"]);
    expect(await listed()).toEqual({ "a.txt": "restorable", "b.txt": "restorable" });
    await restore(host, id, { ...newest, paths: names.slice(0, 1) });
    expect(await listed()).toEqual({ "b.txt": "restorable" });
    await restore(host, id, { ...newest, paths: names.slice(1) });
    expect(await contents()).toEqual(["two\n", "two\n"]);
    // Nothing remains to restore: files are as the turn left them.
    expect(await refusal()).toBe("RESTORATION_UNKNOWN");
  }
}, 300_000);

test("a second undo in the copy builds on the first, and deleting erases stored contents", async () => {
  await using undo = await startUndo();
  const { world, host, id } = undo;
  const file = join(world.work, "a.txt");
  await Bun.write(file, "the-secret-of-before one\n");
  world.calls(edit("a.txt", "one", "two"));
  const first = await turn(host, id);
  world.calls(edit("a.txt", "two", "three"));
  const second = await turn(host, id);
  const fork = async (of: ConversationId, before: string): Promise<ConversationId> =>
    (await host.client.call(routes.forkConversation, { params: { id: of }, body: { before } })).conversation.id;

  await restore(host, id, { from: second, paths: [file] });
  const copy = await fork(id, second);
  const afterFirst = await Bun.file(file).text();
  const listed = await changesOf(host, copy, first);
  await restore(host, copy, { from: first, paths: [file] });
  const afterSecond = await Bun.file(file).text();
  await Bun.write(file, "something else");
  const other = await fork(copy, first);
  await host.client.call(routes.deleteConversation, { params: { id } });
  const left = await changesOf(host, copy, first);
  await host.client.call(routes.deleteConversation, { params: { id: copy } });
  await host.client.call(routes.deleteConversation, { params: { id: other } });

  expect([afterFirst, afterSecond]).toEqual(["the-secret-of-before two\n", "the-secret-of-before one\n"]);
  expect(states(listed)).toEqual({ "a.txt": "restorable" });
  expect(left).toEqual({ files: [], otherTools: ["edit_file"] });
  const secret = Buffer.from("the-secret-of-before");
  for (const name of await readdir(world.data)) {
    const found = Bun.file(join(world.data, name));
    if (!(await found.stat()).isFile()) continue;
    const bytes = Buffer.from(await found.arrayBuffer());
    expect([name, bytes.includes(secret), bytes.includes(secret.toString("base64").slice(0, -4))]).toEqual([
      name,
      false,
      false,
    ]);
  }
}, 300_000);

test("going back from a copy restores only the files of its first omitted message", async () => {
  await using undo = await startUndo();
  const { world, host, id } = undo;
  const [one, two] = [join(world.work, "a.txt"), join(world.work, "b.txt")];
  const { client } = host;
  world.calls(write("a.txt", "A"));
  const first = await turn(host, id);
  world.calls(write("b.txt", "B"));
  const second = await turn(host, id);
  const fork = async (body: { readonly before?: string }): Promise<ConversationId> =>
    (await client.call(routes.forkConversation, { params: { id }, body })).conversation.id;
  const seen = async (copy: ConversationId): Promise<unknown> => {
    const query = { restoration: "newest", copy } as const;
    return client
      .call(routes.listFileChanges, { params: { id }, query })
      .then(states, (error: unknown) => (error instanceof ApiClientError ? error.code : error));
  };

  await restore(host, id, { from: second, paths: [two] });
  const ofSecond = await fork({ before: second });
  await restore(host, id, { from: first, paths: [one] });
  const ofFirst = await fork({ before: first });

  expect(await seen(ofSecond)).toEqual({ "b.txt": "restorable" });
  expect(await seen(ofFirst)).toEqual({ "a.txt": "restorable" });
  expect(await seen(await fork({}))).toBe("RESTORATION_UNKNOWN");
  expect(await seen((await host.createConversation()).id)).toBe("RESTORATION_UNKNOWN");
  const query = { from: first, copy: ofFirst };
  const refused: unknown = await client
    .call(routes.listFileChanges, { params: { id }, query })
    .catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "INVALID_REQUEST" });
}, 300_000);

interface Cut {
  readonly names: readonly string[];
  readonly ended: unknown;
  /** While the host was down, as its successor lists them, and after the restoration. */
  readonly contents: readonly string[];
  readonly listed: FileChanges;
  readonly after: readonly string[];
}

const [old, changed] = ["a".repeat(200_000), "b".repeat(100_000)];

async function killWhileItPutsBack(): Promise<Cut> {
  await using undo = await startUndo();
  const { world, host, id, cwd } = undo;
  const names = Array.from({ length: 40 }, (_, index) => `${String(index).padStart(2, "0")}.txt`);
  for (const name of names) await world.write(name, old);
  world.calls(...names.map((name) => write(name, changed)));
  const from = await turn(host, id);
  const paths = names.map((name) => join(cwd, name));
  const read = (): Promise<readonly string[]> => Promise.all(paths.map((path) => Bun.file(path).text()));

  const seen = watch(cwd, { signal: AbortSignal.timeout(60_000) })[Symbol.asyncIterator]();
  const begun = seen.next();
  const cut = restore(host, id, { from, paths }).catch(() => "cut off");
  await begun;
  await host.kill("SIGKILL");
  const ended = await cut;
  const contents = await read();
  const second = await world.host();
  const listed = await changesOf(second, id, from);
  await restore(second, id, { from, paths });
  return { names, ended, contents, listed, after: await read() };
}

test("a host killed during a restoration leaves each file complete and continues afterwards", async () => {
  let cut = await killWhileItPutsBack();
  // On a busy machine the kill may come too late to interrupt anything.
  for (let tries = 1; tries < 10 && !(cut.ended === "cut off" && cut.contents.includes(changed)); tries += 1)
    cut = await killWhileItPutsBack();

  const { names, ended, contents, listed, after } = cut;
  expect(ended).toBe("cut off");
  expect(contents.filter((text) => text !== old && text !== changed)).toEqual([]);
  expect(contents).toContain(changed);
  expect(states(listed)).toEqual(
    Object.fromEntries(contents.map((text, index) => [names[index], text === old ? "unchanged" : "restorable"])),
  );
  expect(after.filter((text) => text !== old)).toEqual([]);
}, 300_000);

test("files too large to store or evicted are named and left unchanged", async () => {
  await using undo = await startUndo();
  const { world, host, id } = undo;
  const names = Array.from({ length: 18 }, (_, index) => `${String(index).padStart(2, "0")}.txt`);
  for (const name of names) await world.write(name, name.repeat(1_048_576 / name.length).padEnd(1_048_576));
  await world.write("large", "x".repeat(1_048_577));
  world.calls(...[...names, "large"].map((name) => write(name, "small")));
  const from = await turn(host, id);

  const listed = await changesOf(host, id, from);

  const found = Object.values(states(listed));
  expect(found).toEqual(["not-kept", "not-kept", ...names.slice(2).map(() => "restorable"), "not-kept"]);
  expect(listed.files.at(-1)?.why).toBe("it had 1048577 bytes, and at most 1048576 of a file are kept");
  expect(listed.files[0]?.why).toBe("its earlier content was dropped to make room for newer changes");
}, 300_000);

test("replaced contents are reported when too large, or when the store is full", async () => {
  await using undo = await startUndo();
  const { world, host, id, cwd } = undo;
  const full = Array.from({ length: 15 }, (_, index) => `full-${index}`);
  for (const name of ["a", "b", "c"]) await world.write(name, "s");
  for (const name of full) await world.write(name, "x".repeat(1_048_576));
  world.calls(
    write("a", "A".repeat(1_048_577)),
    write("b", "B".repeat(1_000_000)),
    write("c", "C".repeat(500_000)),
    write("made", "Made"),
    ...full.map((name) => write(name, "small")),
  );
  const from = await turn(host, id);
  const names = ["a", "b", "c", "made", "full-1"];
  const paths = names.map((name) => join(cwd, name));

  const body = { from, paths };
  const { files, restoration } = await host.client.call(routes.restoreFiles, { params: { id }, body });
  const query = { restoration };
  const again = await host.client.call(routes.listFileChanges, { params: { id }, query });
  const second = await restore(host, id, { restoration, paths });

  expect(Object.fromEntries(files.map(({ path, isKept }) => [path.slice(cwd.length + 1), isKept]))).toEqual({
    a: false,
    b: true,
    c: false,
    "full-1": true,
    made: true,
  });
  expect(states(again)).toEqual({
    a: "not-kept",
    b: "restorable",
    c: "not-kept",
    "full-1": "restorable",
    made: "restorable",
  });
  expect(second.outcomes).toEqual({ a: "left", b: "written", c: "left", "full-1": "written", made: "created" });
}, 300_000);

test("files are restored only between turns, with the scope to converse, for named paths", async () => {
  await using undo = await startUndo();
  const { world, host, id } = undo;
  const { client } = host;
  world.calls(write("a.txt", "new"), ["shell", { command: "while [ ! -e go ]; do sleep 0.01; done" }]);
  await host.send(id, "Do it");
  for await (const event of client.followEvents(id, { afterSeq: 0 }))
    if (event.type === "tool-call-start" && event.name === "shell") break;
  const { messages } = await client.call(routes.listMessages, { params: { id } });
  const from = messages[0]?.id ?? "";
  const paths = [join(world.work, "a.txt")];
  const refusal = async (asked: Promise<unknown>): Promise<unknown> =>
    asked.then(
      () => "done",
      (error: unknown) => (error instanceof ApiClientError ? error.code : error),
    );

  const seen = states(await changesOf(host, id, from));
  const busy = await refusal(restore(host, id, { from, paths }));
  await world.write("go", "");
  for await (const { type } of client.followEvents(id, { afterSeq: 0 })) if (type === "turn-end") break;
  const token = await client.call(routes.createToken, { body: { name: "reader", scopes: ["read"], days: 1 } });
  const reader = { client: createClient({ url: host.url, token: token.secret }) };

  expect(seen).toEqual({ "a.txt": "restorable" });
  expect(busy).toBe("CONVERSATION_BUSY");
  expect(await refusal(restore(reader, id, { from, paths }))).toBe("FORBIDDEN_SCOPE");
  expect(states(await changesOf(reader, id, from))).toEqual({ "a.txt": "restorable" });
  const unknown = Bun.randomUUIDv7();
  expect(await refusal(restore(host, id, { from: unknown, paths }))).toBe("MESSAGE_UNKNOWN");
  expect(await refusal(restore(host, id, { restoration: unknown, paths }))).toBe("RESTORATION_UNKNOWN");
  expect(await refusal(restore(host, id, { paths }))).toBe("INVALID_REQUEST");
  expect(await refusal(restore(host, id, { from, paths: [] }))).toBe("INVALID_REQUEST");
}, 300_000);

test("files changed by an extension's tools are restored to their first state, existing ones kept", async () => {
  await using undo = await startUndo();
  const { world, host, id } = undo;
  const [gone, again] = [join(world.work, "sub/gone.txt"), join(world.work, "again.txt")];
  const twice = join(world.work, "twice.txt");
  await Bun.write(gone, "gone");
  await Bun.write(again, "again");
  await Bun.write(twice, "first");
  await addRemover(world, host);
  world.calls(remove("sub/gone.txt"), remove("again.txt"), ["twice", { path: "twice.txt" }]);
  const from = await turn(host, id);
  await Bun.write(again, "by hand");
  await rm(join(world.work, "sub"), { recursive: true });

  const listed = await changesOf(host, id, from);
  const { outcomes } = await restore(host, id, { from, paths: [gone, again, twice] });

  expect(listed.files.map(({ state, action }) => [state, action])).toEqual([
    ["changed", undefined],
    ["restorable", "create"],
    ["restorable", "write"],
  ]);
  expect(listed.otherTools).toEqual([]);
  expect(outcomes).toEqual({ "gone.txt": "created", "again.txt": "left", "twice.txt": "written" });
  expect(await Bun.file(gone).text()).toBe("gone");
  expect(await Bun.file(again).text()).toBe("by hand");
  expect(await Bun.file(twice).text()).toBe("first");
}, 300_000);

test("files of a subagent task are undone with its turn, also in a copy", async () => {
  await using undo = await startUndo("subagents.enabled = true");
  const { world, host, id } = undo;
  await world.write("a.txt", "one\n");
  // The task's model answers after the call that starts it, then the parent's continues.
  world.calls(
    edit("a.txt", "one", "two"),
    ["agent", { task: "Go on" }],
    edit("a.txt", "two", "three"),
    write("made.txt", "Made"),
  );
  const from = await turn(host, id);
  const { conversation } = await host.client.call(routes.forkConversation, { params: { id }, body: {} });

  const before = await world.read("a.txt");
  const listed = await changesOf(host, conversation.id, from);
  await restore(host, conversation.id, { from, paths: listed.files.map(({ path }) => path) });

  expect(before).toBe("three\n");
  expect(states(listed)).toEqual({ "a.txt": "restorable", "made.txt": "restorable" });
  expect(listed.otherTools).toEqual([]);
  expect(await world.read("a.txt")).toBe("one\n");
  expect(await world.has("made.txt")).toBe(false);
}, 300_000);
