import type { ConversationId } from "@incipit/schema";
import { toolsPoint, type Tool } from "@incipit/service-contract";
import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { call, collect, createWorld, outcomeOf, type ApprovalRequest, type World } from "../testing/test-world.ts";
import { newTool } from "../testing/new-tool.ts";

function shell(): ReturnType<typeof newTool> {
  const commandOf = (input: unknown): string => String(Reflect.get(Object(input), "command"));
  const members: Partial<Tool> = {
    grantedBy: async (input, { patterns }) => patterns.filter((pattern) => pattern === commandOf(input)),
    scopes: async (input) => {
      const command = commandOf(input);
      return [{ id: "exact", label: "this command", covers: `"${command}" alone`, patterns: [command] }];
    },
  };
  return newTool("shell", members);
}

async function asked(
  world: World,
  id: ConversationId,
  {
    commands,
    count,
    answer,
  }: {
    readonly commands: readonly string[];
    readonly count: number;
    readonly answer: (requests: readonly ApprovalRequest[]) => Promise<unknown>;
  },
): Promise<readonly string[]> {
  const calls = commands.map((command, index) => ({
    toolCallId: String(index),
    name: "shell",
    input: JSON.stringify({ command }),
  }));
  world.scripts.push(() => call(...calls));
  const { turnId, afterSeq } = await world.conversations.send(id, { input: "go" });
  const requests: ApprovalRequest[] = [];
  for await (const event of world.conversations.follow(id, { afterSeq, turnId })) {
    if (event.type !== "approval-request") continue;
    requests.push(event);
    if (requests.length === count) await answer(requests);
  }
  return requests.map(({ input }) => String(Reflect.get(Object(JSON.parse(input)), "command")));
}

const denyAll =
  (world: World, id: ConversationId) =>
  async (requests: readonly ApprovalRequest[]): Promise<unknown> =>
    Promise.all(
      requests.map(({ approvalId }) => world.approvals.answerApproval(id, approvalId, { decision: "deny" })),
    );

test("answer with a scope allows open and later matching calls until revoked", async () => {
  const storage = createMemoryStorage();
  const tool = shell();
  let id: ConversationId;
  {
    await using world = await createWorld({ storage, tools: [tool] });
    ({ id } = await world.conversations.create({}));
    const answer = async ([first, ...more]: readonly ApprovalRequest[]): Promise<void> => {
      if (first === undefined) throw new Error("Nothing was asked");
      const always = { decision: "allow-always", scope: "exact" } as const;
      await world.approvals.answerApproval(id, first.approvalId, always);
      const open = (await world.conversations.get(id)).approvals;
      const covered = more.filter(({ input }) => input === first.input);
      expect(open.map(({ input }) => input)).toEqual(
        more.filter((request) => !covered.includes(request)).map(({ input }) => input),
      );
      expect(covered).toHaveLength(1);
      for (const { approvalId } of open) await world.approvals.answerApproval(id, approvalId, { decision: "deny" });
    };
    await asked(world, id, { commands: ["ls", "ls", "rm"], count: 3, answer });
    const exported = await collect(world.conversations.exportLines(id));
    expect(JSON.stringify(exported)).not.toContain("grants-allowed");
  }
  const runs = tool.runs.length;
  await using world = await createWorld({ storage, tools: [tool] });
  const fork = await world.conversations.fork(id, {});

  const after = await asked(world, id, { commands: ["ls", "rm"], count: 1, answer: denyAll(world, id) });
  const inFork = await asked(world, fork.id, { commands: ["ls"], count: 1, answer: denyAll(world, fork.id) });
  const [kept, ...others] = await world.approvals.allowedCalls(id);
  if (kept === undefined) throw new Error("Nothing is kept");
  await world.approvals.takeBackAllowed(id, kept.id);
  const again = await asked(world, id, { commands: ["ls"], count: 1, answer: denyAll(world, id) });
  const twice = await outcomeOf(world.approvals.takeBackAllowed(id, kept.id));

  expect(runs).toBe(2);
  expect([after, inFork, again]).toEqual([["rm"], ["ls"], ["ls"]]);
  expect([kept.tool, kept.grants, others]).toEqual(["shell", ["shell(ls)"], []]);
  expect(twice).toMatchObject({ code: "APPROVAL_UNKNOWN" });
});

test("[attack:extension-inherits-always] a permanent approval does not apply to another owner's tool", async () => {
  const own = shell();
  const others = shell();
  await using world = await createWorld();
  const add = (id: string, tool: Tool): Promise<void> =>
    world.add(id, (host) => host.contribute(toolsPoint, tool), "standard");
  const { id } = await world.conversations.create({});
  await add("acme.tools", own);
  const allow = async ([first]: readonly ApprovalRequest[]): Promise<void> => {
    if (first === undefined) return;
    const always = { decision: "allow-always", scope: "exact" } as const;
    await world.approvals.answerApproval(id, first.approvalId, always);
  };
  await asked(world, id, { commands: ["ls"], count: 1, answer: allow });
  const ofOwner = await asked(world, id, { commands: ["ls"], count: 1, answer: denyAll(world, id) });
  await world.kernel.remove("acme.tools");
  await add("evil.tools", others);

  const ofAnother = await asked(world, id, { commands: ["ls"], count: 1, answer: denyAll(world, id) });

  expect([ofOwner, ofAnother]).toEqual([[], ["ls"]]);
  expect([own.runs.length, others.runs.length]).toEqual([2, 0]);
});
