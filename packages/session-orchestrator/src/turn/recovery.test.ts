import type { ConversationId } from "@incipit/schema";
import type { Tool } from "@incipit/service-contract";
import { createMemoryStorage, numberProblems } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { call, collect, createWorld, pixel, say, stall, until } from "../testing/test-world.ts";
import { allowedTool, newTool } from "../testing/new-tool.ts";

const never = (): Promise<string> => new Promise(() => {});

async function loseDuringTools(
  storage = createMemoryStorage(),
  quick: Tool["execute"] = async () => "42",
): Promise<{
  readonly storage: typeof storage;
  readonly id: ConversationId;
  readonly tools: readonly Tool[];
}> {
  const tools = [allowedTool("quick", quick), allowedTool("slow", never)];
  const lost = await createWorld({ storage, tools });
  const { id } = await lost.begin("tool-call-end", () =>
    call({ toolCallId: "1", name: "quick", input: "{}" }, { toolCallId: "2", name: "slow", input: "{}" }),
  );
  return { storage, id, tools };
}

test("recover adds the shown or an interrupted result for every tool call", async () => {
  const { storage, id, tools } = await loseDuringTools();
  await using world = await createWorld({ storage, tools });
  await world.turn(id, "on");

  const { messages } = world.requests[0] ?? { messages: [] };
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
  expect(messages[2]?.parts).toMatchObject([
    { toolCallId: "1", output: "42", isError: false },
    { toolCallId: "2", isError: true },
  ]);
});

test("recover marks unstored files of a tool result as lost", async () => {
  const quick = async (): Promise<Awaited<ReturnType<Tool["execute"]>>> => ({ text: "42", files: [pixel] });
  const { storage, id, tools } = await loseDuringTools(createMemoryStorage(), quick);
  await using world = await createWorld({ storage, tools });
  await world.turn(id, "on");

  const [result] = world.requests[0]?.messages[2]?.parts ?? [];
  expect(result).toMatchObject({
    output: "42\n[the files of this result are lost: the host was stopped before they were stored]",
  });
  expect(result).not.toHaveProperty("files");
});

test("recover keeps why calls ran without approval, in message and step record", async () => {
  const tools = [newTool("quick"), allowedTool("slow", never)];
  const lost = await createWorld({ tools });
  const { id } = await lost.conversations.create({});
  lost.scripts.push(() =>
    call({ toolCallId: "1", name: "quick", input: "{}" }, { toolCallId: "2", name: "slow", input: "{}" }),
  );
  await lost.approvals.sendAllowing(id, { input: "go" }, { allow: ["quick"] });
  await until(lost.conversations.follow(id, { afterSeq: 0 }), "tool-call-end");

  await using world = await createWorld({ storage: lost.storage, tools });
  const messages = await world.records.messages(id, { limit: 10 });
  const steps = await world.records.steps(id, { limit: 10 });

  const autoApprovedCalls = [{ toolCallId: "1", name: "quick", allowedBy: "quick of the turn" }];
  expect(messages.items.map((message) => message.unaskedCalls)).toEqual([undefined, undefined, autoApprovedCalls]);
  expect(steps.items.map((step) => step.unaskedCalls)).toEqual([autoApprovedCalls]);
});

test("recover ends each tool call before the turn, without gaps in sequence numbers", async () => {
  const { storage, id, tools } = await loseDuringTools();
  await using world = await createWorld({ storage, tools });
  const events = await world.events(id);

  const ends = events.flatMap((event) => (event.type === "tool-call-end" ? [event.toolCallId] : []));
  expect(ends).toEqual(["1", "2"]);
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "interrupted" });
  expect(numberProblems(events)).toEqual([]);
});

test("recover is idempotent", async () => {
  const { storage, id, tools } = await loseDuringTools();
  const once = await createWorld({ storage, tools });
  const before = await once.events(id);
  await once.kernel.close();
  await using twice = await createWorld({ storage, tools });

  expect(await twice.events(id)).toEqual(before);
});

test("recover runs queued turns in the order they were sent", async () => {
  const lost = await createWorld();
  const { id } = await lost.conversations.create({});
  lost.scripts.push(stall);
  await lost.conversations.send(id, { input: "first" });
  const inputs = Array.from({ length: 12 }, (_, index) => `queued ${index}`);
  let last: Awaited<ReturnType<typeof lost.conversations.send>> | undefined;
  for (const input of inputs) last = await lost.conversations.send(id, { input });
  await using world = await createWorld({ storage: lost.storage });
  await collect(
    world.conversations.follow(id, { afterSeq: 0, ...(last === undefined ? {} : { turnId: last.turnId }) }),
  );

  const started = (await world.events(id)).flatMap((event) => (event.type === "turn-start" ? [event.input] : []));
  expect(started).toEqual(["first", ...inputs]);
});

test("recover reuses the prompt of a first turn interrupted during its model call", async () => {
  const lost = await createWorld({ prompts: ["kept"] });
  const { id } = await lost.begin("text-delta", stall, { input: "one" });
  await using world = await createWorld({ storage: lost.storage, prompts: ["another"] });
  await world.turn(id, "two");

  expect(world.requests[0]?.systemPrompt).toEqual(["kept"]);
});

test("recover compares the next step with the last one, however old", async () => {
  const before = await createWorld({ prompts: ["kept"] });
  const { id } = await before.conversations.create({});
  for (let count = 0; count < 60; count += 1) await before.turn(id, `${count}`);
  await before.kernel.close();
  await using world = await createWorld({ storage: before.storage, prompts: [] });
  await world.turn(id, "on");

  const { items } = await world.records.steps(id, { limit: 100 });
  expect(items.at(-1)).toMatchObject({ firstDifference: null, differenceReason: null });
});

test("compact followed by a restart continues with the summary and a new prompt", async () => {
  const before = await createWorld({ prompts: ["old", "fresh"] });
  const { id } = await before.ask("one");
  before.scripts.push(() => say("summary"));
  const { summary } = await before.conversations.compact(id);
  await before.kernel.close();
  await using world = await createWorld({ storage: before.storage, prompts: ["wrong"] });
  await world.turn(id, "two");

  expect(world.requests[0]?.systemPrompt).toEqual(["fresh"]);
  expect(world.requests[0]?.messages.map(({ parts }) => parts)).toEqual([
    summary.parts,
    [{ type: "text", text: "two" }],
  ]);
});

test("recover ends open parts and calls once, before the turn [one-terminal-event]", async () => {
  const lost = await createWorld();
  const { id } = await lost.begin("text-delta", async function* open(request) {
    yield { type: "reasoning-delta", partId: "r", text: "Hm" };
    yield { type: "reasoning-end", partId: "r" };
    yield { type: "tool-call-start", toolCallId: "1", name: "quick" };
    yield* stall(request, "Hel");
  });
  await using world = await createWorld({ storage: lost.storage });

  const events = await world.events(id);

  expect(events.slice(-5).map((event) => ("text" in event ? `${event.type} ${event.text}` : event.type))).toEqual([
    "text-delta Hel",
    "text-end Hel",
    "tool-call-end",
    "message-end",
    "turn-end",
  ]);
  expect(numberProblems(events)).toEqual([]);
});
