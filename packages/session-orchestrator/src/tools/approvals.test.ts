import { defineExtension } from "@incipit/kernel";
import { createMemoryStorage } from "@incipit/testkit";
import type { TurnEvent, ApprovalId, ConversationId, JsonObject, TurnId } from "@incipit/schema";
import {
  type Tool,
  type ToolSource,
  folderGrantsHandle,
  toolSourcesPoint,
  toolsPoint,
} from "@incipit/service-contract";
import { expect, test } from "bun:test";
import {
  call,
  callOne,
  createWorld,
  outcomeOf,
  until,
  type ApprovalRequest,
  type World,
} from "../testing/test-world.ts";
import { FullableStorage, heldStorage, putStored } from "../testing/hooked-storage.ts";
import { newTool } from "../testing/new-tool.ts";

const input = '{ "n":1 }';

interface Asked {
  readonly id: ConversationId;
  readonly turnId: TurnId;
  readonly requests: readonly ApprovalRequest[];
}

async function askAbout(world: World, names: readonly string[], given?: ConversationId): Promise<Asked> {
  const id = given ?? (await world.conversations.create({})).id;
  world.scripts.push(() => call(...names.map((name, index) => ({ toolCallId: String(index), name, input }))));
  const { turnId, afterSeq } = await world.conversations.send(id, { input: "go" });
  const requests: ApprovalRequest[] = [];
  for await (const event of world.conversations.follow(id, { afterSeq })) {
    if (event.type === "approval-request") requests.push(event);
    if (requests.length === names.length) break;
  }
  return { id, turnId, requests };
}

function approvalIdOf({ requests }: Asked, index = 0): ApprovalId {
  const request = requests[index];
  if (request === undefined) throw new Error(`There is no request ${index}`);
  return request.approvalId;
}

function typesAfterRequest(events: readonly TurnEvent[]): readonly string[] {
  return events.slice(events.findIndex(({ type }) => type === "approval-request")).map(({ type }) => type);
}

function resultsOf(world: World): unknown {
  return world.requests.at(-1)?.messages.findLast(({ role }) => role === "tool")?.parts;
}

test("ask requests approval before a call runs, and runs it when allowed", async () => {
  const tool = newTool("write");
  await using world = await createWorld({ tools: [tool] });
  const asked = await askAbout(world, ["write"]);
  const waiting = await world.conversations.get(asked.id);
  expect(tool.runs).toEqual([]);

  await world.approvals.answerApproval(asked.id, approvalIdOf(asked), { decision: "allow" });
  const events = await world.ended(asked.id, asked.turnId);

  const expiresAt = new Date(world.clock.now() + 600_000).toISOString();
  expect(asked.requests).toMatchObject([{ toolCallId: "0", name: "write", input, expiresAt }]);
  const covers = 'every call of "write", whatever it is called with';
  const scopes = [{ id: "tool", label: "every call of the tool", covers, grants: ["write"] }];
  expect(waiting.approvals).toEqual([
    {
      approvalId: approvalIdOf(asked),
      turnId: asked.turnId,
      toolCallId: "0",
      name: "write",
      asker: { kind: "host", extension: "test.model" },
      input,
      scopes,
      expiresAt,
    },
  ]);
  expect(typesAfterRequest(events).slice(0, 3)).toEqual(["approval-request", "approval-end", "tool-call-end"]);
  expect(events).toContainEqual(
    expect.objectContaining({ type: "approval-end", decision: "allow", reason: "answered" }),
  );
  expect(tool.runs).toEqual([{ n: 1 }]);
  expect((await world.conversations.get(asked.id)).approvals).toEqual([]);
});

test("[attack:question-made] ask escapes hidden characters in preview, scope and reason, and keeps the input exact", async () => {
  const evil = "invoice\u202Efdp.sh\u00A0";
  const shown = String.raw`invoice\u202efdp.sh\u00a0`;
  const scope = { id: "file", label: evil, covers: `the file "${evil}"\n`, patterns: ["a"] };
  const scoped = newTool("write_file", {
    preview: async () => `--- ${evil}\r\n+x`,
    scopes: async () => [scope],
    grantedBy: async () => [],
  });
  const reasoned = newTool("edit", { mustAsk: async () => `${evil}\nmore` });
  await using world = await createWorld({ tools: [scoped, reasoned] });

  const { requests } = await askAbout(world, ["write_file", "edit"]);

  expect(requests.toSorted((one, other) => other.name.localeCompare(one.name))).toMatchObject([
    {
      input,
      preview: `--- ${shown}\r\n+x`,
      scopes: [{ label: shown, covers: `the file "${shown}"\\n`, grants: ["write_file(a)"] }, { id: "tool" }],
    },
    { input, why: `${shown}\\nmore` },
  ]);
});

test("ask applies to tools neither read-only nor allowed; denied ones never run", async () => {
  const tools = [
    newTool("allowed", { approval: "allow" }),
    newTool("reads", { isReadOnly: true }),
    newTool("refused", { approval: "deny", isReadOnly: true }),
  ];
  await using world = await createWorld({
    tools: [...tools, newTool("careful", { isReadOnly: true, approval: "ask" })],
  });
  const { id, events } = await world.ask("go", () =>
    call(...tools.map(({ name }) => ({ toolCallId: name, name, input }))),
  );
  const asked = await askAbout(world, ["careful"], id);

  expect(events.some(({ type }) => type === "approval-request")).toBe(false);
  expect(tools.map(({ runs }) => runs.length)).toEqual([1, 1, 0]);
  expect(events).toContainEqual(
    expect.objectContaining({ toolCallId: "refused", error: expect.objectContaining({ code: "APPROVAL_DENIED" }) }),
  );
  expect(asked.requests).toHaveLength(1);
  await world.conversations.stop(id);
});

test("a denied call returns an error result, and the turn continues", async () => {
  const tool = newTool("write");
  await using world = await createWorld({ tools: [tool] });
  const asked = await askAbout(world, ["write"]);

  await world.approvals.answerApproval(asked.id, approvalIdOf(asked), { decision: "deny" });
  const events = await world.ended(asked.id, asked.turnId);

  expect(tool.runs).toEqual([]);
  expect(resultsOf(world)).toEqual([
    expect.objectContaining({ toolCallId: "0", isError: true, output: expect.stringContaining("denied") }),
  ]);
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
});

test("[one-terminal-event] an unanswered approval is denied exactly at its deadline", async () => {
  const tool = newTool("write");
  await using world = await createWorld({ tools: [tool], settings: { approval_timeout_seconds: 5 } });
  const asked = await askAbout(world, ["write"]);

  await world.clock.advance(4_999);
  expect((await world.conversations.get(asked.id)).approvals).toHaveLength(1);
  await world.clock.advance(1);
  const events = await world.ended(asked.id, asked.turnId);

  expect(tool.runs).toEqual([]);
  expect(events).toContainEqual(
    expect.objectContaining({ type: "approval-end", decision: "deny", reason: "expired" }),
  );
  expect(resultsOf(world)).toEqual([
    expect.objectContaining({ isError: true, output: expect.stringContaining("within 5 s") }),
  ]);
  expect(events.filter(({ type }) => type === "turn-end")).toHaveLength(1);
});

test("allow-always covers one tool in one conversation, also after a restart", async () => {
  const storage = createMemoryStorage();
  const tools = [newTool("write"), newTool("erase")];
  {
    await using world = await createWorld({ storage, tools });
    const asked = await askAbout(world, ["write", "write", "erase"]);
    await world.approvals.answerApproval(asked.id, approvalIdOf(asked), { decision: "allow-always" });
    const open = (await world.conversations.get(asked.id)).approvals;
    expect(open.map(({ name }) => name)).toEqual(["erase"]);
    await world.approvals.answerApproval(asked.id, approvalIdOf(asked, 2), { decision: "deny" });
    await world.ended(asked.id, asked.turnId);
  }
  await using world = await createWorld({ storage, tools });
  const [known] = (await world.conversations.list({ limit: 1 })).items;
  world.scripts.push(callOne("write", input, "again"));

  const events = await world.turn(known?.id ?? (await world.conversations.create({})).id, "again");
  const elsewhere = await askAbout(world, ["write"]);
  const other = await askAbout(world, ["erase"], known?.id);

  expect(events.some(({ type }) => type === "approval-request")).toBe(false);
  expect(tools.map(({ runs }) => runs.length)).toEqual([3, 0]);
  expect([elsewhere.requests.length, other.requests.length]).toEqual([1, 1]);
  await Promise.all([elsewhere.id, other.id].map((id) => world.conversations.stop(id)));
});

test("[byte-prefix] concurrent approvals can be answered in any order; results keep the call order", async () => {
  const tools = [newTool("a"), newTool("b"), newTool("c")];
  await using world = await createWorld({ tools });
  const asked = await askAbout(world, ["a", "b", "c"]);

  for (const [index, decision] of [
    [2, "allow"],
    [0, "deny"],
    [1, "allow"],
  ] as const)
    await world.approvals.answerApproval(asked.id, approvalIdOf(asked, index), { decision });
  await world.ended(asked.id, asked.turnId);
  await world.turn(asked.id, "on");

  const [first, second, third] = world.requests.map(({ messages }) => messages);
  expect(resultsOf(world)).toMatchObject([
    { toolCallId: "0", isError: true },
    { toolCallId: "1", isError: false },
    { toolCallId: "2", isError: false },
  ]);
  expect(second?.slice(0, first?.length)).toEqual([...(first ?? [])]);
  expect(third?.slice(0, second?.length)).toEqual([...(second ?? [])]);
});

test("stop ends pending approvals with one result each and rejects late answers", async () => {
  const tools = [newTool("a"), newTool("b")];
  await using world = await createWorld({ tools });
  const asked = await askAbout(world, ["a", "b"]);

  await world.conversations.stop(asked.id);
  const events = await world.ended(asked.id, asked.turnId);
  const late = await outcomeOf(
    world.approvals.answerApproval(asked.id, approvalIdOf(asked), { decision: "allow" }),
  );
  await world.turn(asked.id, "on");

  expect(events.filter(({ type }) => type === "approval-end")).toMatchObject([
    { decision: "deny", reason: "stopped" },
    { decision: "deny", reason: "stopped" },
  ]);
  expect(events.filter(({ type }) => type === "tool-call-end")).toHaveLength(2);
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "cancelled" });
  expect(late).toMatchObject({ code: "APPROVAL_ENDED" });
  expect(resultsOf(world)).toMatchObject([
    { toolCallId: "0", isError: true },
    { toolCallId: "1", isError: true },
  ]);
  expect(tools.map(({ runs }) => runs.length)).toEqual([0, 0]);
});

test("unload ends pending approvals as interrupted", async () => {
  const tool = newTool("write");
  const stopped = await createWorld({ tools: [tool] });
  const asked = await askAbout(stopped, ["write"]);
  const following = stopped.ended(asked.id, asked.turnId);
  await stopped.kernel.close();

  const events = await following;

  expect(typesAfterRequest(events)).toEqual(["approval-request", "approval-end", "tool-call-end", "turn-end"]);
  expect(events).toContainEqual(
    expect.objectContaining({ type: "approval-end", decision: "deny", reason: "interrupted" }),
  );
  expect(events.at(-1)).toMatchObject({ status: "interrupted" });
  expect(tool.runs).toEqual([]);
});

test("[never-lost] recover denies pending approvals after a crash, with one result each", async () => {
  const tools = [newTool("write"), newTool("erase")];
  const lost = await createWorld({ tools });
  const asked = await askAbout(lost, ["write", "erase"]);
  await lost.approvals.answerApproval(asked.id, approvalIdOf(asked, 1), { decision: "deny" });
  await until(lost.conversations.follow(asked.id, { afterSeq: 0 }), "tool-call-end");

  await using world = await createWorld({ storage: lost.storage, tools });
  const events = await world.ended(asked.id, asked.turnId);
  const late = await outcomeOf(
    world.approvals.answerApproval(asked.id, approvalIdOf(asked), { decision: "allow" }),
  );
  await world.turn(asked.id, "on");

  const ends = events.flatMap((event) => (event.type === "approval-end" ? [event] : []));
  expect(ends.map(({ approvalId, reason }) => [approvalId, reason])).toEqual([
    [approvalIdOf(asked, 1), "answered"],
    [approvalIdOf(asked), "interrupted"],
  ]);
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "interrupted" });
  expect(late).toMatchObject({ code: "APPROVAL_ENDED" });
  expect(resultsOf(world)).toMatchObject([
    { toolCallId: "0", isError: true, output: expect.stringContaining("may run") },
    { toolCallId: "1", isError: true, output: expect.stringContaining("denied") },
  ]);
  expect((await world.conversations.get(asked.id)).approvals).toEqual([]);
  expect(tools.map(({ runs }) => runs.length)).toEqual([0, 0]);
});

test("[never-lost] a pending approval is hidden until stored", async () => {
  const held = heldStorage('"approval-request"');
  await using world = await createWorld({ storage: held.driver, tools: [newTool("write")] });
  const { id } = await world.conversations.create({});
  world.scripts.push(callOne("write", input));
  const { afterSeq } = await world.conversations.send(id, { input: "go" });

  await held.reached;
  const before = (await world.conversations.get(id)).approvals;
  held.goOn();
  await until(world.conversations.follow(id, { afterSeq }), "approval-request");
  const after = (await world.conversations.get(id)).approvals;
  await world.conversations.stop(id);

  expect(before).toEqual([]);
  expect(after).toMatchObject([{ name: "write" }]);
});

test("answerApproval accepts one answer, and distinguishes unknown from ended approvals", async () => {
  await using world = await createWorld({ tools: [newTool("write")] });
  const asked = await askAbout(world, ["write"]);
  const other = await askAbout(world, ["write"]);
  const answer = (id: ConversationId, decision: "allow" | "deny"): Promise<unknown> =>
    outcomeOf(world.approvals.answerApproval(id, approvalIdOf(asked), { decision }));

  const both = await Promise.all([answer(asked.id, "allow"), answer(asked.id, "deny")]);
  const events = await world.ended(asked.id, asked.turnId);

  expect(both).toMatchObject([undefined, { code: "APPROVAL_ENDED" }]);
  expect(await answer(asked.id, "deny")).toMatchObject({ code: "APPROVAL_ENDED", details: { decision: "allow" } });
  expect(await answer(other.id, "deny")).toMatchObject({ code: "APPROVAL_UNKNOWN" });
  expect(events.filter(({ type }) => type === "approval-end")).toHaveLength(1);
  await world.conversations.stop(other.id);
});

test("answerApproval keeps the request open when the answer cannot be stored", async () => {
  const full = new FullableStorage();
  const tool = newTool("write");
  await using world = await createWorld({ storage: full.driver, tools: [tool] });
  const asked = await askAbout(world, ["write"]);

  full.isFull = true;
  const refused = await outcomeOf(
    world.approvals.answerApproval(asked.id, approvalIdOf(asked), { decision: "allow" }),
  );
  full.isFull = false;

  expect(refused).toMatchObject({ code: "STORAGE_FAILED" });
  expect(tool.runs).toEqual([]);
  await world.approvals.answerApproval(asked.id, approvalIdOf(asked), { decision: "allow" });
  expect((await world.ended(asked.id, asked.turnId)).at(-1)).toMatchObject({ status: "completed" });
  expect(tool.runs).toHaveLength(1);
});

test("answerApproval reports a folder grant that it could not revoke after a storage failure", async () => {
  const full = new FullableStorage();
  const tool = newTool("write");
  await using world = await createWorld({ storage: full.driver, tools: [tool] });
  const takenBack: string[] = [];
  const grants = defineExtension(
    { id: "test.grants", version: "1.0.0", api: "^1", provides: ["folder-grants@1"] },
    (host) => {
      host.provideService(folderGrantsHandle, {
        allowedIn: async () => ({ identity: "1-1", allowed: [] }),
        allow: async () => "grant-1",
        async takeBack(id) {
          takenBack.push(id);
          throw new Error("trust.json is held");
        },
      });
    },
  );
  await world.kernel.add([{ extension: grants }]);
  const asked = await askAbout(world, ["write"]);
  const answer = { decision: "allow-always", isForFolder: true } as const;

  full.isFull = true;
  const refused = await outcomeOf(world.approvals.answerApproval(asked.id, approvalIdOf(asked), answer));
  full.isFull = false;
  await world.approvals.answerApproval(asked.id, approvalIdOf(asked), { decision: "deny" });

  expect(refused).toMatchObject({
    code: "STORAGE_FAILED",
    message:
      'Cannot store an event: the disk is full; and what was allowed in the folder for it could not be taken back (trust.json is held): "incipit trust" lists it',
  });
  expect(takenBack).toEqual(["grant-1"]);
  expect((await world.ended(asked.id, asked.turnId)).at(-1)).toMatchObject({ status: "completed" });
  expect(tool.runs).toEqual([]);
});

test("mustAsk requests approval despite earlier ones, with a reason, for one call", async () => {
  const spoken: unknown[] = [];
  const tool = newTool("write", {
    approval: "allow",
    mustAsk: async () => "It writes .git/config",
    execute: async (_, { allowedAlthough }) => `${spoken.push(allowedAlthough)}`,
  });
  const other = newTool("other", { mustAsk: async () => Promise.reject(new Error("broken")) });
  const plain = newTool("plain", { approval: "allow", mustAsk: async () => undefined });
  await using world = await createWorld({ tools: [tool, other, plain] });

  let id: ConversationId | undefined;
  for (const decision of ["allow-always", "deny"] as const) {
    const asked = await askAbout(world, ["write", "other"], id);
    id = asked.id;
    expect(Object.fromEntries(asked.requests.map(({ name, why }) => [name, why]))).toEqual({
      other: "Cannot determine what this call would change",
      write: "It writes .git/config",
    });
    for (const { approvalId } of asked.requests) await world.approvals.answerApproval(id, approvalId, { decision });
    await world.ended(asked.id, asked.turnId);
  }

  expect(spoken).toEqual(["It writes .git/config"]);
  expect(other.runs).toHaveLength(1);
});

test("[attack:extension-source-must-ask] mustAsk of a tool from a source overrides earlier approvals", async () => {
  const [asks, control] = [newTool("asks", { approval: "allow" }), newTool("control", { approval: "allow" })];
  const tools = [
    { ...asks, mustAsk: async () => "It deletes everything" },
    { ...control, mustAsk: async () => undefined },
  ];
  await using world = await createWorld({});
  const source: ToolSource = { id: "acme", tools: async () => ({ tools, problems: [] }) };
  await world.add("acme.tools", (host) => host.contribute(toolSourcesPoint, source), "standard");
  const { id, events: unasked } = await world.ask("one", callOne("control", input, "0"));
  const asked = await askAbout(world, ["asks"], id);

  expect(unasked.some(({ type }) => type === "approval-request")).toBe(false);
  expect(control.runs).toHaveLength(1);
  expect(asked.requests.map(({ why }) => why)).toEqual(["It deletes everything"]);
  expect(asks.runs).toEqual([]);
  await world.conversations.stop(id);
});

async function addTool(world: World, id: string, tool: Tool): Promise<void> {
  await world.add(id, (host) => host.contribute(toolsPoint, tool), "standard");
}

test("[attack:extension-inherits-always] a permanent approval does not apply to another extension's or source's tool", async () => {
  const [own, others, sourced] = [newTool("write"), newTool("write"), newTool("write")];
  await using world = await createWorld({});
  await addTool(world, "acme.tools", own);
  const asked = await askAbout(world, ["write"]);
  await world.approvals.answerApproval(asked.id, approvalIdOf(asked), { decision: "allow-always" });
  await world.ended(asked.id, asked.turnId);

  const again = { toolCallId: "again", name: "write", input };
  world.scripts.push(() => call(again));
  const unasked = await world.turn(asked.id, "the same one");
  await world.kernel.remove("acme.tools");
  await addTool(world, "evil.tools", others);
  const ofAnother = await askAbout(world, ["write"], asked.id);
  await world.approvals.answerApproval(asked.id, approvalIdOf(ofAnother), { decision: "deny" });
  await world.ended(ofAnother.id, ofAnother.turnId);
  await world.kernel.remove("evil.tools");
  const source: ToolSource = { id: "acme", tools: async () => ({ tools: [sourced], problems: [] }) };
  await world.add("acme.tools", (host) => host.contribute(toolSourcesPoint, source), "standard");
  const ofSource = await askAbout(world, ["write"], asked.id);
  await world.conversations.stop(asked.id);

  expect(unasked.some(({ type }) => type === "approval-request")).toBe(false);
  expect(own.runs).toHaveLength(2);
  expect([ofAnother, ofSource].map(({ requests }) => requests.length)).toEqual([1, 1]);
  expect([others.runs, sourced.runs]).toEqual([[], []]);
});

async function storedAnswers(owner: string): Promise<readonly [ofOldHost: string, ofThisHost: string]> {
  const storage = createMemoryStorage();
  const tool = newTool("kept");
  await using world = await createWorld({ storage, tools: owner === "test.model" ? [tool] : [] });
  if (owner !== "test.model") await addTool(world, owner, tool);
  const { id } = await world.conversations.create({});
  const keep = (value: JsonObject): Promise<void> => putStored(storage, `tool-allowed:${id}:kept`, value);
  await keep({ approvalId: "of-an-older-host" });
  const asked = await askAbout(world, ["kept"], id);
  await world.conversations.stop(id);
  await world.ended(asked.id, asked.turnId);
  const runsBefore = tool.runs.length;
  await keep({
    approvalId: "of-this-host",
    by: { kind: owner === "test.model" ? "host" : "extension", extension: owner },
  });
  world.scripts.push(callOne("kept", input, "0"));
  await world.turn(id, "go");
  return [`${asked.requests.length} asked, ${runsBefore} ran`, `${tool.runs.length} ran`];
}

test("[attack:extension-always-of-old-host] a permanent approval without an owner applies to no extension", async () => {
  expect(await storedAnswers("acme.tools")).toEqual(["1 asked, 0 ran", "1 ran"]);
});

test("[attack:archive-of-old-host] a permanent approval without an owner does not apply to host tools", async () => {
  expect(await storedAnswers("test.model")).toEqual(["1 asked, 0 ran", "1 ran"]);
});

test("allow-always keeps a mustAsk request of the same tool open", async () => {
  let calls = 0;
  const tool = newTool("write", { mustAsk: async () => ((calls += 1) === 1 ? undefined : "It writes .env") });
  await using world = await createWorld({ tools: [tool] });
  const asked = await askAbout(world, ["write", "write"]);

  // The calls run concurrently, in either order.
  const plain = asked.requests.findIndex(({ why }) => why === undefined);

  await world.approvals.answerApproval(asked.id, approvalIdOf(asked, plain), { decision: "allow-always" });

  const { approvals } = await world.conversations.get(asked.id);
  expect(approvals.map(({ why }) => why)).toEqual(["It writes .env"]);
  await world.approvals.answerApproval(asked.id, approvalIdOf(asked, 1 - plain), { decision: "deny" });
  await world.ended(asked.id, asked.turnId);
  expect(tool.runs).toHaveLength(1);
});

test("allow applies to one call; another pending call of the tool stays open", async () => {
  const tool = newTool("write");
  await using world = await createWorld({ tools: [tool] });
  const asked = await askAbout(world, ["write", "write"]);

  await world.approvals.answerApproval(asked.id, approvalIdOf(asked), { decision: "allow" });
  const open = (await world.conversations.get(asked.id)).approvals;
  await world.approvals.answerApproval(asked.id, approvalIdOf(asked, 1), { decision: "deny" });
  await world.ended(asked.id, asked.turnId);

  expect(open).toMatchObject([{ approvalId: approvalIdOf(asked, 1) }]);
  expect(tool.runs).toHaveLength(1);
});

test("a call allowed by patterns receives them, other calls receive none", async () => {
  const told: unknown[] = [];
  const tool = newTool("write_file", {
    grantedBy: async (_, { patterns }) => patterns.filter((pattern) => pattern === "docs/**"),
    scopes: async () => [{ id: "folder", label: "files", covers: "files", patterns: ["docs/**"] }],
    execute: async (_, { allowedPatterns }) => `ran ${told.push(allowedPatterns)}`,
  });
  await using world = await createWorld({ tools: [tool] });
  const { id } = await world.conversations.create({});
  const answer = async (
    asked: Asked,
    body: Parameters<typeof world.approvals.answerApproval>[2],
  ): Promise<void> => {
    await world.approvals.answerApproval(id, approvalIdOf(asked), body);
    await world.ended(asked.id, asked.turnId);
  };

  await answer(await askAbout(world, ["write_file"], id), { decision: "allow" });
  await answer(await askAbout(world, ["write_file"], id), { decision: "allow-always", scope: "folder" });
  world.scripts.push(callOne("write_file", input, "0"));
  await world.turn(id, "again");

  expect(told).toEqual([undefined, ["docs/**"], ["docs/**"]]);
});
