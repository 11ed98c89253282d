import {
  stepRecordsHandle,
  type ModelEvent,
  type ModelRequest,
  type SessionRequest,
} from "@incipit/service-contract";
import type { ConversationId } from "@incipit/schema";
import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { callOne, createWorld, outcomeOf, say, stall, until } from "../testing/test-world.ts";
import { hookedStorage } from "../testing/hooked-storage.ts";
import { exportedArchive, linesFrom } from "../testing/archive.ts";
import { newTool } from "../testing/new-tool.ts";

const session: SessionRequest = { instructions: { by: "block", told: "now" } };
const idle = newTool("idle", { execute: () => Promise.reject(new Error("The host ran it")) });

function run(toolCallId: string, output: string, isError = false, name = "edit"): ModelEvent {
  return { type: "tool-run", toolCallId, name, input: '{"path":"a"}', output, isError };
}

async function* work(): AsyncGenerator<ModelEvent> {
  yield { type: "text-start", partId: "0" };
  yield { type: "text-delta", partId: "0", text: "I edit." };
  yield { type: "text-end", partId: "0" };
  yield { type: "tool-call-start", toolCallId: "x", name: "edit" };
  yield run("x", "edited");
  yield run("x", "no such file", true);
  yield* say("Done.");
}

test("a provider that runs its own tools receives none; its calls are stored with results", async () => {
  await using world = await createWorld({ session, tools: [idle] });
  const { id, events } = await world.ask("go", () => work());
  await world.turn(id, "on");

  expect(world.requests.map(({ tools, cwd, purpose }) => ({ tools, cwd, purpose }))).toEqual(
    Array.from({ length: 2 }, () => ({ tools: [], cwd: "/work", purpose: "turn" })),
  );
  const ends = events.filter(({ type }) => type.startsWith("tool-call"));
  expect(ends).toMatchObject([
    { type: "tool-call-start", toolCallId: "x" },
    { type: "tool-call-end", toolCallId: "x", output: "edited" },
    { type: "tool-call-start", toolCallId: "x-2" },
    { type: "tool-call-end", toolCallId: "x-2", error: { code: "TOOL_FAILED", message: "no such file" } },
  ]);
  expect(world.requests[1]?.messages.map(({ role, parts }) => [role, parts.map(({ type }) => type)])).toEqual([
    ["user", ["text"]],
    ["assistant", ["text", "tool-call", "tool-call"]],
    ["tool", ["tool-result", "tool-result"]],
    ["assistant", ["text"]],
    ["user", ["text"]],
  ]);
});

test("a step's record includes an agent's reply, calls and instructions", async () => {
  await using world = await createWorld({ session, prompts: ["Be brief."] });
  const { id } = await world.ask("go", () => work());
  await world.turn(id, "on");

  const { items } = await world.records.steps(id, { limit: 10 });

  expect(items.map(({ instructions }) => instructions)).toEqual([session.instructions, session.instructions]);
  const { reply } = await world.service(stepRecordsHandle).get(id, items[0]?.id ?? "");
  expect(reply?.parts.map(({ type }) => type)).toEqual([
    "text",
    "tool-call",
    "tool-call",
    "tool-result",
    "tool-result",
    "text",
  ]);
});

test("the audit compares session requests by parts; a new session starts a new prefix", async () => {
  const storage = createMemoryStorage();
  const first = await createWorld({ session, prompts: ["Be brief."], storage, modelUrl: "acp://agent/one" });
  const { id } = await first.ask("one");
  await first.turn(id, "two");
  await first[Symbol.asyncDispose]();
  await using world = await createWorld({ session, storage, prompts: [], modelUrl: "acp://agent/two" });
  await world.turn(id, "three");

  const { items } = await world.records.steps(id, { limit: 10 });

  expect(
    items.map(({ firstDifference, differenceReason, prefix }) => [firstDifference, differenceReason, prefix]),
  ).toMatchObject([
    [null, "first-step", { measure: "parts" }],
    [null, null, { measure: "parts", difference: null }],
    ["url", "provider-changed", { sharedBytes: 0 }],
  ]);
});

test("askPermission requests approval like a host tool, under the displayed call id", async () => {
  await using world = await createWorld({ session });
  const { id } = await world.conversations.create({});
  const answers: unknown[] = [];
  const ask = (request: ModelRequest) =>
    async function* (): AsyncGenerator<ModelEvent> {
      yield { type: "tool-call-start", toolCallId: "x", name: "run it!" };
      const question = { toolCallId: "x", name: "run it!", input: '{"a":1}', preview: "+ a" };
      answers.push(await request.askPermission?.(question));
      yield run("x", "ran", false, "run it!");
      yield* say("Done.");
    };
  world.scripts.push(
    (request) => ask(request)(),
    (request) => ask(request)(),
  );

  const { turnId } = await world.conversations.send(id, { input: "go" });
  const asked = await until(world.conversations.follow(id, { afterSeq: 0 }), "approval-request");
  const [approval] = (await world.conversations.get(id)).approvals;
  if (approval === undefined) throw new Error("Nothing is open");
  await world.approvals.answerApproval(id, approval.approvalId, { decision: "allow-always" });
  await until(world.conversations.follow(id, { afterSeq: 0, turnId }), "turn-end");
  const second = await world.turn(id, "again");

  expect(asked.slice(-2)).toMatchObject([
    { type: "tool-call-start", toolCallId: "x", name: "run_it_" },
    { type: "approval-request", toolCallId: "x", name: "run_it_", input: '{"a":1}', preview: "+ a" },
  ]);
  expect(answers).toEqual(Array.from({ length: 2 }, () => ({ decision: "allow-always", reason: "answered" })));
  expect(second.some(({ type }) => type === "approval-request")).toBe(false);
});

test("[attack:asker-other-server] a permanent approval does not apply to another program with the agent's name", async () => {
  const storage = createMemoryStorage();
  const asked: unknown[] = [];
  let id: ConversationId | undefined;
  for (const identity of ["one", "one", "two"]) {
    await using world = await createWorld({ session, storage, identity });
    const { id: found, requests } = await world.approve("allow-always", {
      ...(id === undefined ? {} : { id }),
      async *script(request) {
        yield { type: "tool-call-start", toolCallId: "x", name: "edit" };
        await request.askPermission?.({ toolCallId: "x", name: "edit", input: "{}" });
        yield run("x", "ran");
        yield* say("Done.");
      },
    });
    id = found;
    asked.push([identity, requests.length]);
  }

  expect(asked).toEqual([
    ["one", 1],
    ["one", 0],
    ["two", 1],
  ]);
});

test("[attack:question-cut-preview] a permission request with a truncated preview can only be denied", async () => {
  await using world = await createWorld({ session });
  const { id } = await world.conversations.create({});
  const answers: Promise<unknown>[] = [];
  world.scripts.push(async function* (request) {
    for (const [toolCallId, preview] of [
      ["cut", "+\n".repeat(150_000)],
      ["whole", "+ a"],
    ] as const) {
      yield { type: "tool-call-start", toolCallId, name: "run" };
      const asked = request.askPermission?.({ toolCallId, name: "run", input: "{}", preview });
      if (asked !== undefined) answers.push(asked);
    }
    await Promise.all(answers);
    yield* say("Done.");
  });
  await world.conversations.send(id, { input: "go" });
  const isBoth = async (): Promise<boolean> => (await world.conversations.get(id)).approvals.length === 2;
  const following = world.conversations.follow(id, { afterSeq: 0 });
  for await (const event of following) if (event.type === "approval-request" && (await isBoth())) break;
  const { approvals } = await world.conversations.get(id);
  const [cut, whole] = ["cut", "whole"].map((callId) => approvals.find(({ toolCallId }) => toolCallId === callId));
  if (cut === undefined || whole === undefined) throw new Error("Not both are asked");

  expect([cut.isPreviewCut, whole.isPreviewCut]).toEqual([true, undefined]);
  for (const decision of ["allow", "allow-always"] as const)
    expect(world.approvals.answerApproval(id, cut.approvalId, { decision })).rejects.toMatchObject({
      code: "INVALID_REQUEST",
    });
  await world.approvals.answerApproval(id, whole.approvalId, { decision: "allow-always" });
  expect((await world.conversations.get(id)).approvals).toEqual([cut]);
  await world.approvals.answerApproval(id, cut.approvalId, { decision: "deny" });

  expect(await Promise.all(answers)).toEqual([
    { decision: "deny", reason: "answered" },
    { decision: "allow-always", reason: "answered" },
  ]);
});

test("a permission request that its provider does not await ends with the step", async () => {
  await using world = await createWorld({ session });
  const { id } = await world.conversations.create({});
  const answers: Promise<unknown>[] = [];
  world.scripts.push(async function* (request) {
    yield { type: "tool-call-start", toolCallId: "x", name: "run" };
    const asked = request.askPermission?.({ toolCallId: "x", name: "run", input: "{}" });
    if (asked !== undefined) answers.push(asked);
    yield { type: "failure", error: { code: "CUT_OFF", message: "It crashed", isRetryable: false } };
  });

  const events = await world.turn(id, "go");

  expect(await Promise.all(answers)).toEqual([{ decision: "deny", reason: "stopped" }]);
  expect(events.filter(({ type }) => type.startsWith("approval-")).map(({ type }) => type)).toEqual([
    "approval-request",
    "approval-end",
  ]);
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "failed", error: { code: "CUT_OFF" } });
  expect((await world.conversations.get(id)).approvals).toEqual([]);
});

test("tool results of a provider survive a failed step and a crash", async () => {
  const storage = createMemoryStorage();
  const lost = await createWorld({ session, storage });
  const { id } = await lost.ask(
    "one",
    async function* () {
      yield run("a", "first");
      yield { type: "failure", error: { code: "CUT_OFF", message: "It crashed", isRetryable: false } };
    },
    async function* (request) {
      yield run("b", "second");
      yield* stall(request, "And then");
    },
  );
  await lost.conversations.send(id, { input: "two" });
  const text = lost.conversations.follow(id, { afterSeq: (await lost.conversations.get(id)).lastSeq });
  await until(text, "text-delta");
  await using world = await createWorld({ session, storage });
  await world.turn(id, "three");

  const said = world.requests[0]?.messages.map(({ role, parts }) => [
    role,
    parts.map((part) => (part.type === "tool-result" ? part.output : part.type)),
  ]);
  expect(said).toEqual([
    ["user", ["text"]],
    ["assistant", ["tool-call"]],
    ["tool", ["first"]],
    ["user", ["text"]],
    ["assistant", ["tool-call"]],
    ["tool", ["second"]],
    ["assistant", ["text"]],
    ["user", ["text"]],
  ]);
  const { items } = await world.records.messages(id, { limit: 100 });
  expect(
    items.filter(({ turnEnd }) => turnEnd !== undefined).map(({ role, turnEnd }) => [role, turnEnd?.status]),
  ).toEqual([
    ["tool", "failed"],
    ["assistant", "interrupted"],
  ]);
});

test("a provider must run its own tools exactly when it declares so", async () => {
  await using plain = await createWorld();
  await using own = await createWorld({ session });
  const one = await plain.conversations.create({});
  const other = await own.conversations.create({});
  plain.scripts.push(async function* () {
    yield run("a", "ran");
  });
  own.scripts.push(async function* () {
    yield { type: "tool-call", toolCallId: "a", name: "idle", input: "{}" };
  });

  const ends = [(await plain.turn(one.id, "go")).at(-1), (await own.turn(other.id, "go")).at(-1)];

  expect(ends).toMatchObject([{ error: { code: "BAD_RESPONSE" } }, { error: { code: "BAD_RESPONSE" } }]);
});

test("[attack:archive-tool-runs-unasked] an agent needs approval for an imported conversation's folder before its first request", async () => {
  const { lines } = await exportedArchive();
  await using world = await createWorld({ session, prompts: [], links: { "/work": "/private" } });
  const { id } = await world.conversations.importLines(linesFrom(lines));
  const send = async (decision: "allow" | "deny"): Promise<unknown> => {
    const { events, requests } = await world.approve(decision, { id });
    const end = events.at(-1);
    return {
      asked: requests[0]?.folder,
      ...(end?.type === "turn-end" ? { status: end.status, code: end.error?.code } : {}),
    };
  };

  expect(await send("deny")).toEqual({ asked: "/private", status: "failed", code: "APPROVAL_DENIED" });
  expect(world.requests).toEqual([]);
  expect(await send("allow")).toEqual({ asked: "/private", status: "completed", code: undefined });
  expect(await send("deny")).toEqual({ asked: undefined, status: "completed", code: undefined });
  expect(world.requests.map(({ cwd }) => cwd)).toEqual(["/private", "/private"]);
});

test("a replay is rejected for a provider that runs its own tools", async () => {
  await using world = await createWorld({ session });
  const { id } = await world.ask("go");
  const [step] = (await world.records.steps(id, { limit: 1 })).items;
  const { signal } = new AbortController();

  const replay = world.service(stepRecordsHandle).replay(id, step?.id ?? "", { model: "test/model", signal });

  expect(await outcomeOf(replay)).toMatchObject({ code: "INVALID_REQUEST" });
  expect(world.requests.length).toBe(1);
});

test("host tool calls stored before a crash appear once in the next request", async () => {
  const storage = createMemoryStorage();
  const held = Promise.withResolvers<void>();
  let steps = 0;
  const atomic = (writes: unknown): unknown => {
    if (!JSON.stringify(writes).includes('"step-start"') || (steps += 1) !== 2) return undefined;
    held.resolve();
    return new Promise(() => undefined);
  };
  const lost = await createWorld({
    storage: hookedStorage({ atomic }, storage),
    tools: [{ ...idle, isReadOnly: true, execute: async () => "looked" }],
  });
  const { id } = await lost.conversations.create({});
  lost.scripts.push(callOne("idle", "{}", "a"));
  await lost.conversations.send(id, { input: "one" });
  await held.promise;
  await using world = await createWorld({ storage });
  await world.turn(id, "two");

  expect(world.requests[0]?.messages.map(({ role, parts }) => [role, parts.map(({ type }) => type)])).toEqual([
    ["user", ["text"]],
    ["assistant", ["tool-call"]],
    ["tool", ["tool-result"]],
    ["user", ["text"]],
  ]);
});
