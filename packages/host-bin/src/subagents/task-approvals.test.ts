import type { Approval, ConversationId } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { collect, until, type HostWorld } from "../testing/host-world.ts";
import { paintTools } from "./testing/paint-tool.ts";
import { createSubagentsWorld, giving, outcomes, saying, tasksOf } from "./testing/subagents-world.ts";

const paint = { kind: "tool-calls", calls: [{ id: "p_1", name: "paint", arguments: '{"colour":"red"}' }] } as const;

async function openApproval(world: HostWorld, id: ConversationId): Promise<Approval> {
  let found: Approval | undefined;
  await until(async () => {
    [found] = (await world.getConversation(id)).approvals;
    return found !== undefined;
  });
  if (found === undefined) throw new Error("Nothing is asked");
  return found;
}

async function answer(
  world: HostWorld,
  { id, approvalId }: { readonly id: ConversationId; readonly approvalId: string },
  decision: "allow" | "allow-always" | "deny",
): Promise<void> {
  await world.client.call(routes.answerApproval, { params: { id, approvalId }, body: { decision } });
}

async function askingTask(world: HostWorld) {
  world.model.enqueue(giving({ profile: "reader", task: "Paint it" }), paint);
  const caller = await world.createConversation();
  const turn = collect(world.client.sendTurn(caller, { input: "go" }));
  await turn.has("task-start");
  const [task] = tasksOf(turn.events);
  if (task === undefined) throw new Error("No task has begun");
  return { caller, task, turn };
}

for (const decision of ["allow", "deny"] as const)
  test(`an approval request of a task appears in its parent and accepts "${decision}" there`, async () => {
    const ran: string[] = [];
    await using world = await createSubagentsWorld({ extensions: [paintTools(ran)] });
    const { caller, task, turn } = await askingTask(world);
    world.model.enqueue(saying("The wall is done"), saying("Fine"));

    const asked = await openApproval(world, caller);
    await answer(world, { id: caller, approvalId: asked.approvalId }, decision);

    expect(asked).toMatchObject({
      toolCallId: "call_1",
      name: "paint",
      input: '{"colour":"red"}',
      why: `A task of profile "reader" asks, in conversation ${task}`,
    });
    expect(outcomes(await turn.ended)).toEqual(["The wall is done"]);
    expect(ran).toEqual(decision === "allow" ? [`paint {"colour":"red"} in ${task}`] : []);
    expect((await world.getConversation(task)).approvals).toEqual([]);
  });

test("an answer in the task's conversation resolves the question in its parent", async () => {
  const ran: string[] = [];
  await using world = await createSubagentsWorld({ extensions: [paintTools(ran)] });
  const { caller, task, turn } = await askingTask(world);
  world.model.enqueue(paint, saying("The wall is done"), saying("Fine"));
  const { approvalId } = await openApproval(world, caller);
  const own = await openApproval(world, task);

  await answer(world, { id: task, approvalId: own.approvalId }, "allow-always");

  const events = await turn.ended;
  expect(events.filter(({ type }) => type === "approval-request")).toHaveLength(1);
  expect(events.filter(({ type }) => type === "approval-end")).toMatchObject([
    { approvalId, decision: "allow-always", reason: "answered" },
  ]);
  expect(ran).toHaveLength(2);
  expect((await world.getConversation(caller)).approvals).toEqual([]);
});

test("a lasting approval applies only to its own conversation, not to parents or tasks", async () => {
  const ran: string[] = [];
  await using world = await createSubagentsWorld({ extensions: [paintTools(ran)] });
  const caller = await world.createConversation();
  world.model.enqueue(paint, saying("painted"));
  const first = collect(world.client.sendTurn(caller, { input: "paint" }));
  await answer(world, { id: caller, approvalId: (await openApproval(world, caller)).approvalId }, "allow-always");
  await first.ended;

  world.model.enqueue(giving({ task: "Paint it" }), paint);
  const second = collect(world.client.sendTurn(caller, { input: "give it away" }));
  const asked = await openApproval(world, caller);
  world.model.enqueue(paint);
  await answer(world, { id: caller, approvalId: asked.approvalId }, "allow-always");
  // "Always" in the parent covered only that call; the task needs another approval.
  await until(async () =>
    (await world.getConversation(caller)).approvals.some(({ approvalId }) => approvalId !== asked.approvalId),
  );
  const again = await openApproval(world, caller);
  world.model.enqueue(saying("Done"), saying("Fine"));
  await answer(world, { id: caller, approvalId: again.approvalId }, "deny");

  expect(outcomes(await second.ended)).toEqual(["Done"]);
  expect(ran).toHaveLength(2);
});

test("stopping the parent withdraws its task's approval in both, and nothing runs", async () => {
  const ran: string[] = [];
  await using world = await createSubagentsWorld({ extensions: [paintTools(ran)] });
  const { caller, task, turn } = await askingTask(world);
  await openApproval(world, caller);

  await world.client.call(routes.stopConversation, { params: { id: caller } });
  const events = await turn.ended;
  await until(async () => (await world.getConversation(task)).status === "idle");

  expect(events.filter(({ type }) => type === "approval-end")).toMatchObject([
    { decision: "deny", reason: "stopped" },
  ]);
  expect((await world.getConversation(task)).approvals).toEqual([]);
  expect(ran).toEqual([]);
});
