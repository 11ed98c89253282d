import { createTempFolder } from "@incipit/testkit";
import { openTrustStore } from "@incipit/host/trust";
import { routes } from "@incipit/transport-contract";
import type { TurnEvent } from "@incipit/schema";
import { expect, test } from "bun:test";
import { mkdir, symlink } from "node:fs/promises";
import type { HostProcess } from "../support/host-process.ts";
import { World } from "../support/world.ts";

class Allowing extends World {
  static begin(more = ""): Promise<Allowing> {
    return Allowing.start({ config: `tools.workspace = true\n${more}` });
  }

  /** A turn that runs commands. */
  commands(...commands: readonly string[]): void {
    for (const command of commands) this.model.enqueueCall("shell", { command });
    this.model.enqueueText("Done.");
  }
}

test("--allow runs matching commands with their grant shown, and denies all others", async () => {
  await using world = await Allowing.begin();
  world.commands("touch a", "touch b && rm -f a", "touch c; ls", "echo $(touch d)");

  const grants = ["shell(touch a)", "shell(touch c)", "shell(ls:*)"].flatMap((grant) => ["--allow", grant]);
  const done = await world.run([...grants, "Do it now"]);
  const id = /-s (\S+)/.exec(done.stderr)?.[1] ?? "";
  const { stdout: history } = await world.run(["conversations", "history", id]);
  const { stdout: audit } = await world.run(["audit", id]);
  const { stdout: record } = await world.run(["record", "show", id, "--step", "1"]);
  const { stdout: asJson } = await world.run(["audit", id, "--json"]);
  world.commands("touch e");
  const later = await world.run(["-s", id, "And now?"]);

  expect(done).toMatchObject({ exitCode: 3, stdout: expect.stringContaining("Done.") });
  const made = await Promise.all(["a", "b", "c", "d", "e"].map((name) => world.has(name)));
  expect(made).toEqual([true, false, true, false, false]);
  expect(done.stderr).toContain('{"command":"touch a"} (allowed by shell(touch a) of the turn)');
  expect(done.stderr).toContain("(allowed by shell(touch c) of the turn, shell(ls:*) of the turn)");
  expect(history).toContain('{"command":"touch a"} (allowed by shell(touch a) of the turn)');
  expect(audit.replaceAll(/\s+/g, " ").match(/ran without asking: .*?(?= \d| █|$)/g)).toEqual([
    "ran without asking: shell, allowed by shell(touch a) of the turn",
    "ran without asking: shell, allowed by shell(touch c) of the turn, shell(ls:*) of the turn",
  ]);
  expect(record).toContain("call         ran without asking: shell, allowed by shell(touch a) of the turn\n");
  expect(asJson).toContain('"allowedBy":"shell(touch a) of the turn"');
  expect(done.stderr).toContain("To allow it beforehand: --allow 'shell(touch b && rm -f a)'.");
  expect(later).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("no terminal to ask at") });
}, 300_000);

test("[attack:process-allowed-path-link] --allow with a file tool covers real paths below the folder", async () => {
  await using world = await Allowing.begin();
  await using outside = await createTempFolder();
  await mkdir(world.path("src/inner"), { recursive: true });
  await mkdir(world.path("kept"));
  await symlink("../kept", world.path("src/link"));
  await symlink(outside.path, world.path("src/out"));
  const paths = ["src/a", "src/inner/b", "src/link/c", "src/../d", "src/out/e", "src/.hidden", "src/AGENTS.md"];
  for (const path of paths) world.model.enqueueCall("write_file", { path, content: "x" });

  await world.run(["--allow", "write_file(src/**)", "Write them"]);

  const written = await Promise.all(paths.map((path) => world.has(path)));
  expect(written).toEqual([true, true, false, false, false, false, false]);
}, 300_000);

test("an invalid --allow is rejected before sending, and an unlimited one warned about", async () => {
  await using world = await Allowing.begin();
  const wrong: readonly (readonly [grant: string, told: string])[] = [
    ["", "it is not valid; examples:"],
    ["*", "list the tools"],
    ["shell()", 'write "shell" for every command'],
    ["shell(*)", 'write "shell" if that is meant'],
    ["shell(:*)", "write the first words of one command"],
    ["shell(git *)", '"git" has commands that write: name the one that is meant, such as "shell(git status:*)"'],
    ["shell(ls *)", 'write "shell(ls:*)"'],
    ["shell(git:*)", '"git" has commands that write: name the one that is meant, such as "shell(git status:*)"'],
    ["shell(git push:*)", '"git push" can run or write something, as far as the host knows'],
    ["shell(git diff --output x:*)", 'with "--output" behind it, "git diff" can run or write something'],
    ["shell(make:*)", '"make" can run or write something else, as far as the host knows'],
    ["shell(./git status:*)", '"./git" can run or write something else'],
    ["shell(git && ls:*)", "write a grant for each of them"],
    ["shell(sudo:*)", '"sudo" can run or write something else'],
    ["shell(env A=b:*)", '"env" can run or write something else'],
    ["shell(A=b git:*)", "sets a variable"],
    ["shell('git' log:*)", "has a program's name in quotes"],
    ["shell(echo $(x):*)", 'has "$"'],
    ["write_file(/etc/**)", "leads out of the conversation's folder"],
    ["write_file(../x)", "leads out of the conversation's folder"],
    ["search(x)", 'write "search" for each of its calls'],
    ["call_tool", "name the one that may run"],
    ["shell(ls", "it is not valid; examples:"],
  ];
  for (const [grant, told] of wrong) {
    const { exitCode, stderr } = await world.run(["--allow", grant, "Hello"]);
    expect([grant, exitCode, stderr]).toEqual([grant, 2, expect.stringContaining(told)]);
  }
  await world.configure('approvals.allow = ["shell(make:*)"]');
  const configured = await world.run(["Hello"]);
  expect(world.model.requests).toHaveLength(0);

  await using other = await Allowing.begin();
  other.commands("touch a > b");
  const all = await other.run(["--allow", "shell", "Do it now"]);

  expect(configured.exitCode).toBe(1);
  expect(configured.stderr).toMatch(
    /incipit\.toml:\d+: key "approvals\.allow\.0" .*"shell\(make:\*\)": "make" can run or write something else.*write each whole command/,
  );
  expect(all.stderr).toContain('--allow "shell" allows every command, unasked');
  expect(await other.has("a")).toBe(true);
}, 300_000);

test("allow under [approvals] of the user's file applies to every turn", async () => {
  await using world = await Allowing.begin('\n[approvals]\nallow = ["shell(touch a)"]\n');
  world.commands("touch a", "touch b > c");

  const { stderr } = await world.run(["Do it now"]);

  expect([await world.has("a"), await world.has("b")]).toEqual([true, false]);
  expect(stderr).toContain("(allowed by shell(touch a) of [approvals] allow)");
}, 300_000);

test("a user at a terminal reads the scopes of always, chooses one, and revokes it", async () => {
  await using world = await Allowing.begin();
  world.commands("ls && echo one", "touch b", "touch c");

  const { screen } = await world.atTerminal(
    ["Do it now"],
    [
      ["Allow it (1, 2: as above)? [y/N/always] ", "3\r"],
      ['Please answer "y", "n", "1", "2" or "always". Allow it (1, 2: as above)? [y/N/always] ', "2\r"],
      ["Allow it (1: as above)? [y/N/always] ", "1\r"],
      ["Allow it (1: as above)? [y/N/always] ", "n\r"],
    ],
  );
  const id = /-s (\S+)/.exec(screen)?.[1] ?? "";
  const listed = await world.run(["approve", id, "list"]);
  world.commands("ls -a && echo two && touch d");
  const kept = await world.run(["-s", id, "Again please"]);
  const taken = await world.run(["approve", id, "take-back", listed.stdout.split(" ")[0] ?? ""]);
  world.commands("ls -a && echo three");
  const askedAgain = await world.run(["-s", id, "And again"]);

  expect(screen).toContain(`In ${world.work}:\r\n│ ls\r\n│ && echo one\r\n`);
  expect(screen).toContain("1: always this command, in this conversation:\r\n│ this command, exactly as it is\r\n");
  expect(screen).toContain('│ commands that begin with "ls" or "echo" and only read\r\n');
  expect([await world.has("a"), await world.has("b"), await world.has("c")]).toEqual([false, true, false]);
  expect(listed.stdout.trim().split("\n")).toEqual([
    expect.stringMatching(/^\S+ {2}Incipit \(workspace-tools\): shell\(ls:\*\), shell\(echo:\*\)$/),
    expect.stringMatching(/^\S+ {2}Incipit \(workspace-tools\): shell\(touch b\)$/),
  ]);
  expect(kept.exitCode).toBe(3);
  expect(taken).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("shell(ls:*)") });
  expect(askedAgain.exitCode).toBe(3);
}, 300_000);

test("a terminal user allows a command for the folder only by the exact word", async () => {
  await using world = await Allowing.begin();
  await mkdir(world.path(".git"));
  openTrustStore(world.data, () => undefined).trust(world.work, {});
  world.commands("touch a", "touch b && ls");

  const { screen } = await world.atTerminal(
    ["Do it now"],
    [
      ["Allow it (1: as above)? [y/N/always] ", "y folder\r"],
      ['Please answer "y", "n", "1" or "always". Allow it (1: as above)? [y/N/always] ', "1 Folder\r"],
      ["Allow it (1: as above)? [y/N/always] ", "n\r"],
    ],
  );
  const id = /-s (\S+)/.exec(screen)?.[1] ?? "";
  const conversation = await world.run(["approve", id, "list"]);
  const folder = await world.run(["trust"]);

  expect(screen).toContain(
    '"folder" behind a number or "always": in each conversation in this folder, for as long as you trust it:\r\n',
  );
  expect(await world.has("a")).toBe(true);
  expect(conversation.stderr).toContain("No permanent approval");
  expect(folder.stdout).toMatch(/always allowed {2}\S+ {2}Incipit \(workspace-tools\): shell\(touch a\)/);
}, 300_000);

async function answered(
  { client }: HostProcess,
  id: string,
  {
    allow,
    answer,
  }: {
    readonly allow?: string[];
    readonly answer: (event: Extract<TurnEvent, { type: "approval-request" }>) => Promise<unknown>;
  },
): Promise<readonly TurnEvent[]> {
  const events: TurnEvent[] = [];
  for await (const event of client.sendTurn(id, { input: "Hello", ...(allow === undefined ? {} : { allow }) })) {
    events.push(event);
    if (event.type === "approval-request") await answer(event);
  }
  return events;
}

test('HTTP: a turn can allow calls, questions list scopes, and plain "always" covers the tool', async () => {
  await using world = await Allowing.begin();
  const host = await world.host();
  const { client } = host;
  const { id } = await host.createConversation();
  const asked: TurnEvent[] = [];
  const answerWith =
    (body: { readonly decision: "allow" | "allow-always"; readonly scope?: string }) =>
    async (event: Extract<TurnEvent, { type: "approval-request" }>): Promise<unknown> => {
      asked.push(event);
      return client.call(routes.answerApproval, { params: { id, approvalId: event.approvalId }, body });
    };

  world.commands("touch a", "rm a");
  const first = await answered(host, id, {
    allow: ["shell(touch a)"],
    answer: answerWith({ decision: "allow" }),
  });
  world.commands("ls -a", "ls -b", "ls c | sort");
  const second = await answered(host, id, { answer: answerWith({ decision: "allow-always", scope: "prefix" }) });
  world.commands("id");
  const third = await answered(host, id, { answer: answerWith({ decision: "allow-always" }) });
  world.commands("id > x");
  const fourth = await answered(host, id, { answer: answerWith({ decision: "allow" }) });
  const { allowed } = await client.call(routes.listAllowed, { params: { id } });

  expect(asked).toMatchObject([
    { input: '{"command":"rm a"}', preview: `In ${world.work}:\nrm a` },
    {
      input: '{"command":"ls -a"}',
      scopes: [
        { id: "exact", grants: ["shell(ls -a)"] },
        { id: "prefix", grants: ["shell(ls:*)"], covers: 'commands that begin with "ls" and only read' },
        { id: "tool", grants: ["shell"] },
      ],
    },
    { input: '{"command":"ls c | sort"}' },
    { input: '{"command":"id"}' },
  ]);
  expect(
    [first, second, third, fourth].map((events) =>
      events.flatMap((event) => (event.type === "tool-call-end" ? [event.allowedBy] : [])),
    ),
  ).toEqual([
    ["shell(touch a) of the turn", undefined],
    [undefined, 'shell(ls:*) of "always" in this conversation', undefined],
    [undefined],
    ['shell of "always" in this conversation'],
  ]);
  expect(allowed.map(({ grants }) => grants)).toEqual([
    ["shell(ls:*)"],
    ["shell(ls:*)", "shell(sort:*)"],
    ["shell"],
  ]);
  const bad = await host.fetch(`/conversations/${id}/turns`, {
    body: { input: "Hello", allow: ["shell(make:*)"] },
  });
  expect([bad.status, await bad.text()]).toEqual([
    400,
    expect.stringContaining("write each whole command instead"),
  ]);
}, 300_000);

test("HTTP: an answer with an unknown scope is rejected, and the question stays open", async () => {
  await using world = await Allowing.begin();
  const host = await world.host();
  const { client } = host;
  const { id } = await host.createConversation();
  world.commands("touch a");

  const answer = async ({ approvalId }: { readonly approvalId: string }): Promise<void> => {
    const path = `/conversations/${id}/approvals/${approvalId}`;
    const unknown = await host.fetch(path, { body: { decision: "allow-always", scope: "everything" } });
    const stray = await host.fetch(path, { body: { decision: "allow", scope: "exact" } });
    expect([unknown.status, await unknown.text()]).toEqual([400, expect.stringContaining('\\"exact\\"')]);
    expect(stray.status).toBe(400);
    expect((await host.conversation(id)).approvals).toHaveLength(1);
    await client.call(routes.answerApproval, { params: { id, approvalId }, body: { decision: "deny" } });
  };
  await answered(host, id, { answer });

  expect(await world.has("a")).toBe(false);
  const gone = await host.fetch(`/conversations/${id}/allowed/01a208b1-c1d8-73a5-9e29-a4a01f2b7696`, {
    method: "DELETE",
  });
  expect(gone.status).toBe(404);
}, 300_000);
