import type { Approval, ConversationId } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { createAgentsWorld, type AgentsWorld } from "../agents/agents-world.ts";

const config = "tools = { workspace = true }";

type Call = readonly [name: string, input: object];

async function begin(world: AgentsWorld, ...calls: readonly Call[]) {
  const { client, model } = world;
  const id = await world.begin();
  model.enqueue({
    kind: "tool-calls",
    calls: calls.map(([name, input], index) => ({ id: `c${index}`, name, arguments: JSON.stringify(input) })),
  });
  const events = client.sendTurn(id, { input: "Go" })[Symbol.asyncIterator]();
  const ended = async (toolCallId: string): Promise<void> => {
    for (let next = await events.next(); next.done !== true; next = await events.next())
      if (next.value.type === "tool-call-end" && next.value.toolCallId === toolCallId) return;
  };
  const asked = async (count = 1): Promise<readonly Approval[]> => {
    const found: Approval[] = [];
    while (found.length < count) {
      const { done, value } = await events.next();
      if (done === true) return found;
      if (value.type === "approval-request") found.push(value);
    }
    return found;
  };
  return { id, asked, ended };
}

async function answer(
  { client }: AgentsWorld,
  id: ConversationId,
  { approvalId }: Approval,
  decision: "allow" | "allow-always" | "deny" = "allow",
): Promise<void> {
  await client.call(routes.answerApproval, { params: { id, approvalId }, body: { decision } });
}

test("[attack:question-stale-diff] an approved edit needs another approval when other edits change its effect", async () => {
  await using world = await createAgentsWorld({ config });
  const prod = "[prod]\nverify  = on\n";
  const file = await world.write("conf", `${prod}${"#\n".repeat(9)}[test]\nverify = on\n`);
  const { id, asked, ended } = await begin(
    world,
    ["edit_file", { path: "conf", oldText: "[test]\nverify = on", newText: "[test]\nverify = ON" }],
    ["edit_file", { path: "conf", oldText: "[prod]\nverify  = on", newText: "[prod]\nverify = on" }],
    ["edit_file", { path: "conf", oldText: "verify = on", newText: "verify = off" }],
  );
  const questions = (await asked(3)).toSorted((a, b) => (a.toolCallId < b.toolCallId ? -1 : 1));
  const [first, second, third] = questions;
  if (first === undefined || second === undefined || third === undefined) throw new Error("Not all were asked");
  expect(third.preview).toContain(" [test]\n-verify = on\n+verify = off");

  for (const question of [first, second]) {
    await answer(world, id, question);
    await ended(question.toolCallId);
  }
  await answer(world, id, third);
  const [again] = await asked();

  expect(again?.why).toContain("changed");
  expect(again?.preview).toContain(" [prod]\n-verify = on\n+verify = off");
  expect(again?.scopes).toBeUndefined();
  if (again !== undefined) await answer(world, id, again, "deny");
  expect(await asked()).toEqual([]);
  expect(await Bun.file(file).text()).toBe(`[prod]\nverify = on\n${"#\n".repeat(9)}[test]\nverify = ON\n`);
  expect(world.model.requests.at(-1)?.body).toContain("the user did not allow what it would do now");
});

test("edits with a lasting approval run even when they change each other's lines", async () => {
  await using world = await createAgentsWorld({ config });
  const file = await world.write("list", "a\nb\nc\n");
  const { id, asked } = await begin(
    world,
    ["edit_file", { path: "list", oldText: "a\n", newText: "0\na\n" }],
    ["edit_file", { path: "list", oldText: "c\n", newText: "C\n" }],
  );
  const [first] = await asked(2);

  if (first !== undefined) await answer(world, id, first, "allow-always");

  expect(await asked()).toEqual([]);
  expect(await Bun.file(file).text()).toBe("0\na\nb\nC\n");
});

test("[attack:question-stale-file] a file or link changed during the question of a write is not overwritten", async () => {
  await using world = await createAgentsWorld({ config });
  const call = (path: string): Call => ["write_file", { path, content: "new\n", overwrite: true }];
  const link = join(world.work, "out");
  await world.write("build/x.ts", "generated\n");
  await world.write("src/x.ts", "good\n");
  await symlink("build", link);

  const absent = await begin(world, call("notes.md"));
  const [asNew] = await absent.asked();
  expect(asNew?.preview).toBe('"notes.md" is a new file');
  await world.write("notes.md", "a day of work\n");
  if (asNew !== undefined) await answer(world, absent.id, asNew);
  const [asOld] = await absent.asked();
  expect(asOld?.preview).toContain("-a day of work\n+new");
  if (asOld !== undefined) await answer(world, absent.id, asOld, "deny");
  expect(await absent.asked()).toEqual([]);
  expect(await Bun.file(join(world.work, "notes.md")).text()).toBe("a day of work\n");

  const turned = await begin(world, call("out/x.ts"));
  const [toBuild] = await turned.asked();
  expect(toBuild?.preview).toStartWith("--- out/x.ts (leads to build/x.ts)\n");
  await rm(link);
  await symlink("src", link);
  if (toBuild !== undefined) await answer(world, turned.id, toBuild);
  const [toSource] = await turned.asked();
  expect(toSource?.preview).toContain("(leads to src/x.ts)");
  expect(await Bun.file(join(world.work, "src/x.ts")).text()).toBe("good\n");
  if (toSource !== undefined) await answer(world, turned.id, toSource);
  expect(await turned.asked()).toEqual([]);
  expect(await Bun.file(join(world.work, "src/x.ts")).text()).toBe("new\n");
});

test("[attack:question-names-link] a write through a link shows the real file", async () => {
  await using world = await createAgentsWorld({ config });
  await world.write("Makefile", "# x\n");
  await symlink("Makefile", join(world.work, "README.md"));
  const { id, asked } = await begin(
    world,
    ["write_file", { path: "README.md", content: "# y\n", overwrite: true }],
    ["edit_file", { path: "./README.md", oldText: "x", newText: "z" }],
    ["edit_file", { path: join(world.work, "Makefile"), oldText: "x", newText: "z" }],
  );

  const previews = new Map((await asked(3)).map(({ toolCallId, preview }) => [toolCallId, preview ?? ""]));

  expect(previews.get("c0")).toStartWith("--- README.md (leads to Makefile)\n");
  expect(previews.get("c1")).toStartWith("--- ./README.md (leads to Makefile)\n");
  expect(previews.get("c2")).toStartWith(`--- ${join(world.work, "Makefile")}\n`);
  await world.client.call(routes.stopConversation, { params: { id } });
  expect(await asked()).toEqual([]);
});
