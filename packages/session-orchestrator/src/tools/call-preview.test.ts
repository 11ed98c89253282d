import { FakeClock } from "@incipit/kernel";
import type { Tool } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { previewOf } from "./call-preview.ts";
import { call, createWorld } from "../testing/test-world.ts";

type Preview = NonNullable<Tool["preview"]>;

function tool(preview?: Preview): Tool {
  const given = preview === undefined ? {} : { preview };
  return {
    name: "edit",
    description: "Edits",
    inputSchema: { type: "object" },
    execute: async () => "done",
    ...given,
  };
}

async function told(preview?: Preview, clock = new FakeClock()): Promise<string | undefined> {
  const { signal } = new AbortController();
  const found = await previewOf(tool(preview), { n: 1 }, { conversationId: "c", cwd: "/work", clock, signal });
  return found?.text;
}

test("previewOf returns the tool's preview, or undefined", async () => {
  const seen: unknown[] = [];
  const preview: Preview = async (input, { conversationId, cwd }) => {
    seen.push(input, conversationId, cwd);
    return "a diff";
  };

  expect([await told(preview), await told()]).toEqual(["a diff", undefined]);
  expect(seen).toEqual([{ n: 1 }, "c", "/work"]);
});

test("previewOf describes the failure of a tool that throws, returns no string, or times out", async () => {
  const clock = new FakeClock();
  let isAborted = false;
  const late = told(async (_, { signal }) => {
    signal.addEventListener("abort", () => (isAborted = true));
    return new Promise<string>(() => {});
  }, clock);
  await clock.advance(5_000);
  const noText: Preview = async () => JSON.parse("7");
  const fails = (): never => {
    throw new Error("no such file");
  };

  expect(await late).toBe('"edit" did not say in time what it would change');
  expect(isAborted).toBe(true);
  expect(await told(async () => fails())).toBe('"edit" cannot say what it would change: no such file');
  expect(await told(fails)).toBe('"edit" cannot say what it would change: no such file');
  expect(await told(noText)).toContain("cannot say what it would change");
});

test("previewOf truncates a long preview and states the missing length", async () => {
  const text = await told(async () => "x".repeat(300_000));

  expect(text?.slice(262_140)).toBe("xxxx\n[cut: 37856 more characters]");
});

test("approval-request and the open approval include the preview; allowed calls compute none", async () => {
  let previews = 0;
  await using world = await createWorld({ tools: [tool(async () => `diff ${(previews += 1)}`)] });
  const { id } = await world.conversations.create({});
  const edit = (): ReturnType<typeof call> => call({ toolCallId: "1", name: "edit", input: "{}" });
  world.scripts.push(edit, edit);
  const asked: unknown[] = [];
  const { turnId, afterSeq } = await world.conversations.send(id, { input: "go" });
  for await (const event of world.conversations.follow(id, { turnId, afterSeq })) {
    if (event.type !== "approval-request") continue;
    asked.push(event.preview, (await world.conversations.get(id)).approvals[0]?.preview);
    await world.approvals.answerApproval(id, event.approvalId, { decision: "allow-always" });
  }

  expect(asked).toEqual(["diff 1", "diff 1"]);
  expect(previews).toBe(1);
});

test("a call allowed during its preview needs no approval", async () => {
  const answered = Promise.withResolvers<string>();
  let previews = 0;
  const preview: Preview = async () => ((previews += 1) === 1 ? "diff" : answered.promise);
  await using world = await createWorld({ tools: [tool(preview)] });
  const { id } = await world.conversations.create({});
  const calls = ["1", "2"].map((toolCallId) => ({ toolCallId, name: "edit", input: "{}" }));
  world.scripts.push(() => call(...calls));
  let questions = 0;
  const { turnId, afterSeq } = await world.conversations.send(id, { input: "go" });
  for await (const event of world.conversations.follow(id, { turnId, afterSeq })) {
    if (event.type !== "approval-request") continue;
    questions += 1;
    await world.approvals.answerApproval(id, event.approvalId, { decision: "allow-always" });
    answered.resolve("diff");
  }

  expect([questions, previews]).toEqual([1, 2]);
});

test("the tool message keeps the preview of a successful allowed call only", async () => {
  const fails = (): never => {
    throw new Error("no");
  };
  const tools = [
    tool(async () => "a diff"),
    { ...tool(async () => "another diff"), name: "denied" },
    { ...tool(async () => "a third"), name: "failed", execute: fails },
  ];
  await using world = await createWorld({ tools });
  const { id } = await world.conversations.create({});
  const calls = tools.map(({ name }, index) => ({ toolCallId: String(index), name, input: "{}" }));
  world.scripts.push(() => call(...calls));

  const { turnId, afterSeq } = await world.conversations.send(id, { input: "go" });
  for await (const event of world.conversations.follow(id, { turnId, afterSeq })) {
    if (event.type !== "approval-request") continue;
    const decision = event.name === "denied" ? "deny" : "allow";
    await world.approvals.answerApproval(id, event.approvalId, { decision });
  }

  const { items } = await world.records.messages(id, { limit: 10 });
  expect(items.map(({ previews }) => previews)).toEqual([
    undefined,
    undefined,
    [{ toolCallId: "0", preview: "a diff" }],
    undefined,
  ]);
});
