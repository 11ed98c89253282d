import {
  type ExportLine,
  addAuditSummaries,
  auditSummarySchema,
  emptyAuditSummary,
  turnIdSchema,
  type ConversationId,
  type TurnEvent,
} from "@incipit/schema";
import { stepRecordsHandle } from "@incipit/service-contract";
import * as z from "zod";
import { expect, test } from "bun:test";
import {
  call,
  callOne,
  collect,
  createWorld,
  finish,
  outcomeOf,
  until,
  untilStored,
  usage,
  type World,
} from "../testing/test-world.ts";
import { getStored, listStored, putStored } from "../testing/hooked-storage.ts";
import {
  exportedArchive,
  fieldsOf,
  importOutcome,
  linesFrom,
  outcomeIn,
  withConversation,
  withRecords,
  withValue,
  type RecordLine,
} from "../testing/archive.ts";
import { newTool } from "../testing/new-tool.ts";

const uuid = "0199a000-0000-7000-8000-000000000001";

const line = (kind: string, key: string, value: unknown): RecordLine => ({ type: "record", kind, key, value });

function withRecord(lines: readonly ExportLine[], added: RecordLine): readonly ExportLine[] {
  const place = ({ kind, key }: RecordLine): string => `${kind}\0${key}`;
  return withRecords(lines, (records) =>
    [...records, added].toSorted((a, b) => (place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0)),
  );
}

async function importInto(world: World, lines: readonly ExportLine[]): Promise<ConversationId> {
  return (await world.conversations.importLines(linesFrom(lines))).id;
}

async function callTool(
  world: World,
  id: ConversationId,
  { name, answers }: { readonly name: string; readonly answers: readonly ("allow" | "allow-always" | "deny")[] },
): Promise<readonly TurnEvent[]> {
  const given = [...answers];
  const script = callOne(name, '{"n":1}', "called");
  return (await world.approve(() => given.shift() ?? "deny", { id, script })).events;
}

const questionsOf = (events: readonly TurnEvent[]): readonly unknown[] =>
  events.flatMap((event) => (event.type === "approval-request" ? [event] : []));

test("[attack:archive-tool-allowed] import rejects a tool approval, and export omits it", async () => {
  const { id, lines } = await exportedArchive();
  const tool = newTool("shell");
  await using world = await createWorld({ tools: [tool], prompts: [] });
  const own = await world.conversations.create({});
  const allowed = await callTool(world, own.id, { name: "shell", answers: ["allow-always"] });
  const control = await callTool(world, own.id, { name: "shell", answers: [] }); // Control: no approval in the source.

  const outcome = await outcomeIn(world, withRecord(lines, line("tool-allowed", "shell", { approvalId: uuid })));

  expect([questionsOf(allowed).length, questionsOf(control).length, tool.runs.length]).toEqual([1, 0, 2]);
  expect(outcome).toStartWith("NOT_A_HISTORY: ");
  expect(outcome).toContain('"shell"');
  expect(await outcomeOf(world.conversations.get(id))).toMatchObject({
    code: "CONVERSATION_UNKNOWN",
  });
  expect(JSON.stringify(await collect(world.conversations.exportLines(own.id)))).not.toContain("tool-allowed");
});

test("[attack:archive-grants-allowed] import rejects permanent call approvals", async () => {
  const { id, lines } = await exportedArchive();
  await using world = await createWorld({ tools: [newTool("shell")], prompts: [] });
  const value = { name: "shell", by: "workspace-tools", grants: ["shell(ls)"] };

  const outcome = await outcomeIn(world, withRecord(lines, line("grants-allowed", uuid, value)));
  const control = await outcomeIn(world, lines);

  expect(outcome).toStartWith("NOT_A_HISTORY: ");
  expect(control).not.toContain("NOT_A_HISTORY");
  expect((await world.conversations.get(id)).id).toBe(id);
});

test("[attack:archive-folder-allowed] import rejects a folder approval, and export omits it", async () => {
  const { lines } = await exportedArchive();
  const tool = newTool("note", { approval: "allow" });
  await using world = await createWorld({ tools: [tool], prompts: [] });
  const id = await importInto(world, lines);
  await callTool(world, id, { name: "note", answers: ["allow"] });

  const again = await callTool(world, id, { name: "note", answers: [] });
  const exported = await collect(world.conversations.exportLines(id));
  const outcome = await importOutcome(
    withRecord(lines, line("folder-allowed", "", { approvalId: uuid, folder: "/work" })),
  );

  expect([questionsOf(again).length, tool.runs.length]).toEqual([0, 2]);
  expect(JSON.stringify(exported)).not.toContain("folder-allowed");
  expect(outcome).toStartWith("NOT_A_HISTORY: ");
});

test("[attack:archive-running-turn] import rejects turns that a start would run", async () => {
  const { id, lines } = await exportedArchive();
  const request = { input: "run me" };
  const active = { conversationId: id, turnId: uuid, state: "queued", request };
  await using before = await createWorld({ prompts: [] });
  await importInto(before, lines);
  await before[Symbol.asyncDispose]();
  const write = { namespace: "session-orchestrator/conversations", key: `active:${uuid}`, value: active };
  await before.storage.atomic([], [{ kind: "set", ...write }]);
  await using control = await createWorld({ storage: before.storage, prompts: [] });
  await until(control.conversations.follow(id, { afterSeq: 0, turnId: turnIdSchema.parse(uuid) }), "turn-end");

  const outcomes = await Promise.all(
    ["active", "compacting"].map((kind) => importOutcome(withRecord(lines, line(kind, uuid, active)))),
  );

  expect(control.requests.length).toBe(1); // Control: a start runs it.
  expect(outcomes.map((outcome) => outcome.split(":")[0])).toEqual(["NOT_A_HISTORY", "INVALID_REQUEST"]);
});

test("[attack:archive-idempotency-key] import ignores idempotency keys, and export omits them", async () => {
  await using world = await createWorld({ prompts: [] });
  const { id, lines } = await exportedArchive();
  const { id: own } = await world.conversations.create({});
  const send = (to: ConversationId): Promise<{ readonly turnId: string }> =>
    world.conversations.send(to, { input: "mine" }, { idempotencyKey: "key" });
  const first = await send(own);
  const sha256 = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex");
  const used = { turnId: first.turnId, afterSeq: 0, requestSha256: sha256('{"input":"mine"}') };
  await importInto(world, withRecord(lines, line("idempotent-send", sha256("key"), used)));

  const control = await send(own); // Control: in the conversation that used the key, nothing runs.
  const sent = await send(id);
  await world.ended(id, turnIdSchema.parse(sent.turnId));

  expect(control.turnId).toBe(first.turnId);
  expect(sent.turnId).not.toBe(first.turnId);
  expect(JSON.stringify(world.requests.at(-1)?.messages.at(-1))).toContain("mine");
  expect(JSON.stringify(await collect(world.conversations.exportLines(id)))).not.toContain("idempotent-send");
});

test("[attack:archive-tool-runs-unasked] tools of an imported conversation need one approval for its folder", async () => {
  const { lines } = await exportedArchive();
  const tools = [newTool("note", { approval: "allow" }), newTool("look", { isReadOnly: true })];
  await using world = await createWorld({ tools, prompts: [] });
  const own = await world.conversations.create({});
  world.scripts.push(() =>
    call({ toolCallId: "a", name: "note", input: "{}" }, { toolCallId: "b", name: "look", input: "{}" }),
  );
  await world.turn(own.id, "go");
  const runs = (): readonly number[] => tools.map((tool) => tool.runs.length);
  expect(runs()).toEqual([1, 1]); // Control: they run in a local conversation.
  const id = await importInto(world, emptied(lines));

  const denied = await callTool(world, id, { name: "look", answers: ["deny"] });
  const unrun = runs();
  const allowed = await callTool(world, id, { name: "note", answers: ["allow"] });
  const later = await callTool(world, id, { name: "look", answers: [] });

  expect(questionsOf(denied)).toMatchObject([{ name: "look", folder: "/work" }]);
  expect(denied.find(({ type }) => type === "tool-call-end")).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
  expect(unrun).toEqual([1, 1]);
  expect([questionsOf(allowed).length, questionsOf(later).length]).toEqual([1, 0]);
  expect(runs()).toEqual([2, 2]);
});

test("concurrent calls share one approval for an imported conversation's folder", async () => {
  const { lines } = await exportedArchive();
  const tools = [newTool("note", { approval: "allow" }), newTool("look", { isReadOnly: true })];
  await using world = await createWorld({ tools, prompts: [] });
  const id = await importInto(world, emptied(lines));
  const {
    turnId,
    afterSeq,
    seen: asked,
  } = await world.begin(
    "approval-request",
    () =>
      call(...["note", "look", "note"].map((name, index) => ({ toolCallId: String(index), name, input: "{}" }))),
    { id },
  );
  const { approvals } = await world.conversations.get(id);
  for (const { approvalId } of approvals)
    await world.approvals.answerApproval(id, approvalId, { decision: "allow" });
  await collect(world.conversations.follow(id, { afterSeq, turnId }));

  expect(questionsOf(asked).length).toBe(1);
  expect(approvals.length).toBe(1);
  expect(tools.map((tool) => tool.runs.length)).toEqual([2, 1]);
});

test("[attack:archive-folder-changes] a folder approval applies to the resolved folder only", async () => {
  const { lines } = await exportedArchive();
  const used: string[] = [];
  const tool = newTool("note", {
    approval: "allow",
    execute: async (_input, { cwd }) => (used.push(cwd), "noted"),
  });
  const links: Record<string, string> = { "/work": "/private" };
  await using world = await createWorld({ tools: [tool], prompts: [], links });
  const id = await importInto(world, lines);

  const first = await callTool(world, id, { name: "note", answers: ["allow"] });
  const control = await callTool(world, id, { name: "note", answers: [] });
  links["/work"] = "/other";
  const second = await callTool(world, id, { name: "note", answers: ["deny"] });

  expect([first, control, second].map(questionsOf)).toMatchObject([
    [{ folder: "/private" }],
    [],
    [{ folder: "/other" }],
  ]);
  expect(used).toEqual(["/private", "/private"]);
});

test("[attack:archive-always-for-tool] a folder approval does not approve the tool", async () => {
  const { lines } = await exportedArchive();
  const tool = newTool("note");
  await using world = await createWorld({ tools: [tool], prompts: [] });
  const id = await importInto(world, lines);

  const first = await callTool(world, id, { name: "note", answers: ["allow-always", "deny"] });
  const second = await callTool(world, id, { name: "note", answers: ["allow-always"] });
  const control = await callTool(world, id, { name: "note", answers: [] });

  expect(questionsOf(first)).toMatchObject([{ folder: "/work" }, { name: "note" }]);
  expect(questionsOf(first)[1]).not.toHaveProperty("folder");
  expect([questionsOf(second).length, questionsOf(control).length, tool.runs.length]).toEqual([1, 0, 2]);
});

test("[attack:archive-fork-forgets] a fork of an imported conversation needs its own folder approval", async () => {
  const { lines } = await exportedArchive();
  const tool = newTool("note", { approval: "allow" });
  await using world = await createWorld({ tools: [tool], prompts: [] });
  const id = await importInto(world, lines);
  await callTool(world, id, { name: "note", answers: ["allow"] });
  const fork = await world.conversations.fork(id, {});

  const asked = await callTool(world, fork.id, { name: "note", answers: ["deny"] });
  const control = await callTool(world, id, { name: "note", answers: [] });

  expect(fork.importedAt).toBe((await world.conversations.get(id)).importedAt);
  expect([questionsOf(asked).length, questionsOf(control).length, tool.runs.length]).toEqual([1, 0, 2]);
});

test("[attack:archive-cwd-nul] import and create reject a folder with NUL", async () => {
  const { lines } = await exportedArchive();
  await using world = await createWorld();
  const cwd = "/work\0/../etc";

  const control = await world.conversations.create({ cwd: "/work/../etc" });
  const outcome = await importOutcome(withConversation(lines, { cwd }));
  const created = await outcomeOf(world.conversations.create({ cwd }));

  expect(control.cwd).toBe("/work/../etc");
  expect(outcome).toStartWith("CWD_INVALID: ");
  expect(created).toMatchObject({ code: "CWD_INVALID" });
});

test("[attack:bounds-given-names] import and create reject an overlong folder without repeating it", async () => {
  const { lines } = await exportedArchive();
  await using world = await createWorld();
  const long = `/${"x".repeat(4_096)}`;

  const outcome = await importOutcome(withConversation(lines, { cwd: long }));
  const created = await outcomeOf(world.conversations.create({ cwd: long }));
  const control = await world.conversations.create({ cwd: long.slice(1, 4_096).replace("x", "/") });

  expect(outcome).toMatch(/^CWD_INVALID: .{1,200}$/);
  expect(created).toMatchObject({ code: "CWD_INVALID" });
  expect(control.cwd).toHaveLength(4_095);
});

test("[attack:archive-others-calls] a replay in an archive cannot delete another call", async () => {
  const { id, lines } = await exportedArchive();
  const namespace = "session-orchestrator/conversations";
  await using world = await createWorld({ prompts: [] });
  const key = `call-prompt:${uuid}`;
  await putStored(world.storage, key, "kept");
  const [stepId = ""] = stepIdsOf(lines);
  const answer = { model: "test/model", parts: [], usage: null, finishReason: null, error: null, durationMs: 1 };
  const replay = {
    id: uuid,
    conversationId: id,
    stepId,
    createdAt: "2026-11-21T10:00:00.000Z",
    original: { ...answer, costUsd: null },
    replay: null,
    callId: uuid,
    notes: [],
  };
  const forged = withRecord(lines, line("replay", uuid, replay));

  await importInto(world, forged);
  await world.conversations.delete(id);
  await outcomeIn(world, [...forged.slice(0, -1), { type: "end", records: 0 }]);
  const kept = await world.storage.get(namespace, key);
  await importInto(world, lines);
  await putStored(world.storage, `replay:${id}:${uuid}`, replay);
  await world.conversations.delete(id); // Control: its own replay deletes its call.

  expect(kept?.value).toBe("kept");
  expect(await getStored(world.storage, key)).toBeUndefined();
});

test("[attack:archive-others-age] import rejects a request with another conversation's step id", async () => {
  const { lines } = await exportedArchive();
  await using world = await createWorld({ prompts: [] });
  const id = await importInto(world, lines);
  const copy = renamed(lines, id, uuid);
  const ages = async (): Promise<readonly unknown[]> =>
    (await listStored(world.storage, "record-age:")).map(({ value }) => value);
  const before = await ages();

  const outcome = await outcomeIn(world, copy);
  const after = await ages();
  await world.conversations.delete(id);
  const control = await outcomeIn(world, copy);

  expect(outcome).toStartWith("INVALID_REQUEST: ");
  expect(before.length).toBeGreaterThan(0);
  expect(after).toEqual(before);
  expect(control).toBe("imported");
});

const renumber =
  (from: number, by: number) =>
  (records: readonly RecordLine[]): readonly RecordLine[] =>
    records.map((record) => {
      const { seq } = fieldsOf(record.value);
      if (record.kind !== "event" || typeof seq !== "number" || seq < from) return record;
      return {
        ...record,
        key: String(seq + by).padStart(12, "0"),
        value: { ...fieldsOf(record.value), seq: seq + by },
      };
    });

function withoutLast(lines: readonly ExportLine[], type: string): readonly ExportLine[] {
  const events = lines
    .filter((each) => each.type === "record" && each.kind === "event")
    .map((each) => (each.type === "record" ? each : undefined));
  const at = events.findLastIndex((each) => fieldsOf(each?.value)["type"] === type);
  const seq = Number(fieldsOf(events[at]?.value)["seq"]);
  const shorter = withRecords(lines, (records) =>
    renumber(seq, -1)(records.filter(({ kind, key }) => kind !== "event" || Number(key) !== seq)),
  );
  return withConversation(shorter, { lastSeq: events.length - 1 });
}

test("[attack:archive-deep] import rejects a deeply nested record without crashing", async () => {
  const { lines } = await exportedArchive();
  const nested = (depth: number): unknown => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`);
  const withSettings = (depth: number): readonly ExportLine[] =>
    withValue(lines, "wire", (value) => ({
      ...value,
      told: { messageCount: 1, toolsSha256: null, settings: { deep: nested(depth) } },
    }));
  await using world = await createWorld({ prompts: [] });

  const control = await importOutcome(withSettings(20));
  const outcomes = [
    await outcomeIn(world, withSettings(100_000)),
    await outcomeIn(
      world,
      lines.map((each) => (each.type === "prompt" ? { ...each, value: nested(100_000) } : each)),
    ),
    await outcomeIn(world, withConversation(lines, { title: nested(100_000) })),
    await outcomeIn(
      world,
      lines.map((each) => (each.type === "tools" ? { ...each, value: "[".repeat(1_000) } : each)),
    ),
  ];

  expect(control).toBe("imported");
  for (const outcome of outcomes) expect(outcome).toStartWith("INVALID_REQUEST: ");
  expect(await outcomeIn(world, lines)).toBe("imported");
});

test("[attack:archive-refused-leaves] an import rejected at its end leaves no records", async () => {
  const { lines } = await exportedArchive();
  await using world = await createWorld({ prompts: [] });
  const keysNow = async (): Promise<readonly string[]> => {
    const found = await Promise.all(
      ["session-orchestrator/conversations", "test.prompts/prompts"].map((name) =>
        world.storage.list(name, { limit: 1_000 }),
      ),
    );
    return found.flat().map(({ key }) => key);
  };
  const before = await keysNow();

  const outcome = await outcomeIn(world, [...lines.slice(0, -1), { type: "end", records: 1 }]);
  const after = await keysNow();
  await outcomeIn(world, lines);

  expect(outcome).toStartWith("INVALID_REQUEST: ");
  expect(after).toEqual(before);
  expect((await keysNow()).length).toBeGreaterThan(before.length + 10);
});

test("[attack:archive-future] ids of the far future do not affect new ids", async () => {
  const { id, lines } = await exportedArchive();
  const last = "ffffffff-ffff-7fff-bfff-ffffffffffff";
  const stepIds = stepIdsOf(lines);
  let far = renamed(lines, id, last);
  for (const [index, stepId] of stepIds.entries())
    far = renamed(far, stepId, `7fffffff-ffff-7fff-bfff-fffffffffff${index}`);
  await using world = await createWorld({ prompts: [] });
  const before = await world.conversations.create({});

  const imported = await importInto(world, far);
  const created = await world.conversations.create({});
  const events = await world.turn(imported, "three");
  const { items } = await world.records.steps(imported, { limit: 100 });

  expect<string>(imported).toBe(last);
  expect(before.id < created.id && created.id < imported).toBe(true);
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(items.length).toBe(stepIds.length + 1);
  expect(items.at(-1)?.turnId).toBe(events.at(-1)?.turnId);
});

test("[attack:archive-cut-by-delete] export fails without a last line when its conversation is deleted", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({});
  for (let count = 0; count < 8; count += 1) await world.turn(id, "one");
  const cut: string[] = [];

  const control = await collect(world.conversations.exportLines(id));
  const failure = await outcomeOf(
    (async () => {
      for await (const { type } of world.conversations.exportLines(id)) {
        cut.push(type);
        if (cut.length === 3) await world.conversations.delete(id);
      }
      return undefined;
    })(),
  );

  expect(control.at(-1)?.type).toBe("end");
  expect(failure).toMatchObject({ code: "CONVERSATION_UNKNOWN" });
  expect(cut).not.toContain("end");
});

test("[attack:archive-step-back] a step that ends before its start has duration 0", async () => {
  const { id, lines } = await exportedArchive();
  const backwards = withValue(lines, "step", (value) => ({ ...value, endedAt: "2001-01-01T00:00:00.000Z" }));
  await using world = await createWorld({ prompts: [] });
  await importInto(world, backwards);
  const [first, second] = (await world.records.steps(id, { limit: 2 })).items;

  const records = world.service(stepRecordsHandle);
  const record = await records.get(id, first?.id ?? "");
  const control = await records.get(id, second?.id ?? "");

  expect(record.durationMs).toBe(0);
  expect(control.durationMs).toBeNumber();
});

/** The archive of a conversation without turns. */
function emptied(lines: Lines): Lines {
  const head = lines.filter(({ type }) => type !== "tools");
  return withConversation(
    withRecords(head, () => []),
    { lastSeq: 0, toolsSha256: null },
  );
}

type Lines = readonly ExportLine[];
type Value = Readonly<Record<string, unknown>>;
type IsIt = (value: Value) => boolean;

function withFields(lines: Lines, kind: string, fields: Value, isIt?: IsIt): Lines {
  return withValue(lines, kind, (value) => ({ ...value, ...fields }), isIt);
}

function withEveryValue(lines: Lines, kind: string, change: (value: Value) => unknown): Lines {
  return withRecords(lines, (records) =>
    records.map((record) => (record.kind === kind ? { ...record, value: change(fieldsOf(record.value)) } : record)),
  );
}

function withParts(lines: Lines, change: (part: Value) => unknown): Lines {
  const partsSchema = z.array(z.record(z.string(), z.unknown()));
  return withEveryValue(lines, "message", (value) => ({
    ...value,
    parts: partsSchema.parse(value["parts"]).map(change),
  }));
}

/** Replaces an id wherever it stands. */
function renamed(lines: Lines, from: string, to: string): Lines {
  return z.array(z.custom<ExportLine>()).parse(JSON.parse(JSON.stringify(lines).replaceAll(from, to)));
}

const hasCall = (value: Value): boolean => JSON.stringify(value).includes('"tool-call"');
const isCall: IsIt = (value) => hasCall(value);
const isResult: IsIt = (value) => value["role"] === "tool";
const isUser: IsIt = (value) => value["role"] === "user";
const isReply: IsIt = (value) => value["role"] === "assistant" && !hasCall(value);
const text = (said: string): Value => ({ type: "text", text: said });
const callPart = { type: "tool-call", toolCallId: "x", name: "note", input: "{}" };
const resultPart = { type: "tool-result", toolCallId: "x", name: "note", output: "", isError: false };

function stepIdsOf(lines: Lines): readonly string[] {
  return lines.flatMap((each) => (each.type === "record" && each.kind === "step" ? [each.key] : []));
}

function withProto(value: unknown): Value {
  return JSON.parse(`{"__proto__":{"isAdmin":true},${JSON.stringify(value).slice(1)}`);
}

function withKey(lines: Lines, key: string): Lines {
  return withRecords(lines, (records) =>
    records.map((record) =>
      record.kind === "tool-output" ? { ...record, key: record.key.replace(/^[^:]*/, () => key) } : record,
    ),
  );
}

async function expectRejected(accepted: Lines, forged: readonly Lines[], refusal: RegExp): Promise<void> {
  expect(await importOutcome(accepted)).toBe("imported");
  for (const outcome of await Promise.all(forged.map(importOutcome))) expect(outcome).toMatch(refusal);
}

type Forgeries = readonly [accepted: Lines, forged: readonly Lines[], refusal?: RegExp];

const forgeries: Readonly<Record<string, (lines: Lines) => Forgeries>> = {
  "[attack:archive-cwd-relative] import rejects a relative folder": (lines) => [
    withConversation(lines, { cwd: "/elsewhere" }),
    ["work", "../..", "", "~"].map((cwd) => withConversation(lines, { cwd })),
    /^CWD_INVALID: /,
  ],
  "[attack:archive-record-twice] import rejects two records with one key": (lines) => [
    withRecords(lines, (records) => records),
    [
      withRecords(lines, (records) => records.flatMap((record) => [record, record])),
      withRecords(lines, (records) => [...records, ...records.slice(0, 1)]),
    ],
    /order/,
  ],
  "[attack:archive-event-gap] import rejects gaps in event numbers and wrong counts": (lines) => {
    const last = Number(
      lines.flatMap((each) => (each.type === "conversation" ? [fieldsOf(each.value)["lastSeq"]] : []))[0],
    );
    const forged = [
      withConversation(withRecords(lines, renumber(3, 1)), { lastSeq: last + 1 }),
      withConversation(withRecords(lines, renumber(1, 999_999_000_000)), { lastSeq: 999_999_000_000 + last }),
      withConversation(lines, { lastSeq: 999_999_999_999 }),
      withRecords(lines, (records) =>
        records.filter(({ kind, key }) => kind !== "message" || key !== "000000000000"),
      ),
    ];
    return [lines, forged];
  },
  "[attack:archive-turn-without-end] import rejects an unfinished turn": (lines) => [
    withoutLast(lines, "message-end"),
    [withoutLast(lines, "turn-end")],
    /^NOT_A_HISTORY: /,
  ],
  "[attack:archive-proto] import rejects `__proto__` anywhere": (lines) => {
    const withMetadata = (metadata: Value): Lines =>
      withFields(lines, "message", { parts: [{ ...text("one"), metadata }] }, isReply);
    const forged = [
      withValue(lines, "message", withProto),
      withMetadata(withProto({ vendor: { a: 1 } })),
      withValue(lines, "wire", withProto),
      lines.map((each) => (each.type === "conversation" ? { ...each, value: withProto(each.value) } : each)),
    ];
    return [withMetadata({ vendor: { a: 1 } }), forged, /^INVALID_REQUEST: .*__proto__/];
  },
  "[attack:archive-unknown-key] import rejects an unknown key": (lines) => [
    lines,
    [
      ...["message", "event", "step", "wire", "tool-output"].map((kind) =>
        withFields(lines, kind, { runAtStart: true }),
      ),
      withConversation(lines, { runAtStart: true }),
      withConversation(lines, { importedAt: null }),
    ],
    /^INVALID_REQUEST: .*(runAtStart|importedAt)/,
  ],
  "[attack:archive-time-of-no-calendar] import rejects invalid dates": (lines) => [
    withFields(lines, "wire", { at: 8.64e15 }),
    [1e300, 8.64e15 + 1e6, -1e300].map((at) => withFields(lines, "wire", { at })),
  ],
  "[attack:archive-title] import rejects names with invalid characters": (lines) => [
    withConversation(lines, { title: "Notes, \u{1F9A6}" }),
    [
      { title: "\u001b[2J\u001b]0;gone\u0007" },
      { title: "two\nlines" },
      { title: "x".repeat(1_001) },
      { model: "test/\u001b[2J" },
      { profile: "\u001b[2J" },
    ].map((fields) => withConversation(lines, fields)),
  ],
  "[attack:archive-big-letters] import rejects an upper-case id, which would break paging": (lines) => {
    const ids = lines.flatMap((each) => (each.type === "conversation" ? [String(fieldsOf(each.value)["id"])] : []));
    return [lines, [...ids, ...stepIdsOf(lines).slice(0, 1)].map((id) => renamed(lines, id, id.toUpperCase()))];
  },
  "[attack:archive-epoch] import rejects an epoch beyond its messages": (lines) => {
    const epoch = Number.MAX_SAFE_INTEGER;
    const inConversation = withConversation(lines, { epoch });
    const forged = [
      inConversation,
      withConversation(lines, { epoch: 2 }),
      withFields(inConversation, "message", { epoch }),
      withEveryValue(inConversation, "message", (value) => ({ ...value, epoch })),
    ];
    return [lines, forged];
  },
  "[attack:archive-call-without-result] import rejects a call without its result": (lines) => {
    const parts = [text("done")];
    const forged = [
      withFields(lines, "message", { role: "user", parts }, isResult),
      withFields(lines, "message", { parts }, isCall),
      withFields(lines, "message", { parts: [{ ...resultPart, toolCallId: "other" }] }, isResult),
      withFields(lines, "message", { parts: [] }, isResult),
    ];
    const without = withFields(lines, "message", { parts }, isCall);
    return [withFields(without, "message", { role: "user", parts }, isResult), forged];
  },
  "[attack:archive-roles] import rejects parts that do not match the role": (lines) => [
    withFields(lines, "message", { parts: [text("else")] }, isUser),
    (
      [
        [callPart, isUser],
        [resultPart, isUser],
        [resultPart, isReply],
        [{ type: "file", mediaType: "image/png", data: "aGk=" }, isReply],
      ] as const
    ).map(([part, isIt]) => withFields(lines, "message", { parts: [part] }, isIt)),
  ],
  "[attack:archive-file] import rejects a file that no client could send": (lines) => {
    const withFile = (file: Value): Lines =>
      withFields(
        lines,
        "message",
        { parts: [{ type: "file", mediaType: "image/png", data: "aGk=", ...file }] },
        isUser,
      );
    const forged = [
      { data: "no base64!" },
      { mediaType: "image/png\r\nx: y" },
      { filename: "../../.bashrc" },
      { url: "file:///etc/passwd" },
    ];
    return [withFile({ filename: "cat.png" }), forged.map(withFile)];
  },
  "[attack:archive-tool-file] import rejects a tool file that no host would keep": (lines) => {
    const file = { type: "file", mediaType: "image/png", data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB" };
    const withFile = (change: Value): Lines =>
      withParts(lines, (part) =>
        part["type"] === "tool-result" ? { ...part, files: [{ ...file, ...change }] } : part,
      );
    const forged = [
      { data: "no base64!" },
      { data: "iVBORw0KGgoAAAANSUhEUgAAIAAAAAAB" },
      { mediaType: "image/jpeg" },
      { mediaType: "image/png\r\nx: y" },
    ];
    return [withFile({}), forged.map(withFile)];
  },
  "[attack:archive-key] import rejects keys that this host would not create": (lines) => [
    withKey(lines, "call%2F1"),
    ["a\0b", "a\nb", "a:b", "\u00e9", "", "x".repeat(3_000)].map((key) => withKey(lines, key)),
  ],
  "[attack:archive-sums] import rejects impossible numbers, so that sums stay valid": (lines) => {
    const summary = { ...emptyAuditSummary, previousBytes: Number.MAX_SAFE_INTEGER };
    const sum = addAuditSummaries(summary, { ...emptyAuditSummary, previousBytes: 1 });
    expect(auditSummarySchema.safeParse(sum).success).toBe(false); // Control: the sum would be invalid.
    const forged = [
      { usage: { ...usage, inputTokens: Number.MAX_SAFE_INTEGER } },
      { usage: { ...usage, inputTokens: -1 } },
      { requestSizeBytes: Number.MAX_SAFE_INTEGER },
      {
        prices: { input: 1e308, output: 1, cacheRead: null, cacheWrite: null },
        usage: { ...usage, inputTokens: 1_000_000_000 },
      },
    ];
    const accepted = withFields(lines, "step", { usage: { ...usage, inputTokens: 1_000_000 } });
    return [accepted, forged.map((fields) => withFields(lines, "step", fields))];
  },
  "[attack:archive-tools-twice] import rejects a second tool list": (lines) => [
    lines,
    [lines.flatMap<ExportLine>((each) => (each.type === "tools" ? [each, each] : [each]))],
    /a second line of the type "tools"/,
  ],
};

for (const [title, forge] of Object.entries(forgeries))
  test(title, async () => {
    const [accepted, forged, refusal = /^INVALID_REQUEST: /] = forge((await exportedArchive()).lines);
    await expectRejected(accepted, forged, refusal);
  });

test("[attack:archive-piece-lengths] import rejects a merged delta with wrong piece lengths", async () => {
  await using source = await createWorld();
  const { id } = await source.ask("go", async function* () {
    yield { type: "text-start", partId: "0" };
    for (const said of ["one", "two"]) {
      yield { type: "text-delta", partId: "0", text: said };
      await untilStored();
    }
    yield { type: "text-end", partId: "0" };
    yield finish;
  });
  const lines = await collect(source.conversations.exportLines(id));
  const forged = [[3, 4], [6], [3, -1, 4], [3, 3, 0], [1e300, 3], undefined].map((pieceLengths) =>
    withFields(lines, "event", { pieceLengths }, (value) => "pieceLengths" in value),
  );

  await expectRejected(lines, forged, /^INVALID_REQUEST: /);
});

test("[attack:archive-open-question] import rejects an unanswered question", async () => {
  await using source = await createWorld({ tools: [newTool("note")], prompts: [] });
  const { id } = await source.conversations.create({});
  await callTool(source, id, { name: "note", answers: ["deny"] });
  const lines = await collect(source.conversations.exportLines(id));

  await expectRejected(lines, [withoutLast(lines, "approval-end")], /^NOT_A_HISTORY: /);
});

test("[attack:archive-unsendable] import rejects a history that vendors would reject", async () => {
  const { lines } = await exportedArchive({ calls: 2 });
  const calls = (change: Value): Lines =>
    withParts(lines, (part) => ("toolCallId" in part ? { ...part, ...change } : part));
  const of = (type: string, change: Value): Lines =>
    withParts(lines, (part) => (part["type"] === type ? { ...part, ...change } : part));
  const accepted = [
    calls({ name: "gone" }),
    of("tool-call", { input: "no JSON" }),
    of("tool-result", { output: "" }),
  ];
  const forged = [
    calls({ toolCallId: "one" }),
    calls({ toolCallId: "" }),
    calls({ toolCallId: "x".repeat(2_000) }),
    calls({ name: "no name" }),
    calls({ name: "" }),
    calls({ name: "x".repeat(65) }),
    of("tool-result", { name: "other" }),
    of("tool-result", { output: "\ud83e" }),
    of("tool-call", { input: '{"a":"\udd00"}' }),
    of("text", { text: "\ud83e" }),
    withFields(lines, "message", { role: "assistant" }),
  ];

  for (const one of accepted) expect(await importOutcome(one)).toBe("imported");
  await expectRejected(lines, forged, /^INVALID_REQUEST: /);
});
