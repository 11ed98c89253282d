import type { ConversationId } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createSkillWorld } from "./skills/testing/skill-world.ts";
import { prefixOf, type HostWorld } from "./testing/host-world.ts";

async function newWorld(toml = ""): Promise<HostWorld & { readonly other: string }> {
  const systemPrompt = "In [prompt:cwd]: [file:AGENTS.md]";
  const world = await createSkillWorld(`tools.workspace = true\n${toml}`, { systemPrompt });
  await world.write("repo/packages/app/AGENTS.md", "Old rules.");
  await world.write("other/AGENTS.md", "New rules.");
  return Object.assign(world, { other: join(world.home, "other") });
}

function move(world: HostWorld, id: ConversationId, cwd: string): Promise<unknown> {
  return world.client.call(routes.updateConversation, { params: { id }, body: { cwd } });
}

function calling(world: HostWorld, name: string, input: object): void {
  world.model.enqueue({ kind: "tool-calls", calls: [{ id: "c1", name, arguments: JSON.stringify(input) }] });
}

async function result(world: HostWorld, id: ConversationId, name: string, input: object): Promise<string> {
  calling(world, name, input);
  await world.completeTurn(id, "go on");
  const { messages } = await world.client.call(routes.listMessages, { params: { id }, query: { limit: 100 } });
  const outputs = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "tool-result" ? [part.output] : [])),
  );
  return outputs.at(-1) ?? "";
}

test("[resolved-once] a moved conversation has tools in its new folder, and its prompt until rebuilt", async () => {
  await using world = await newWorld();
  const id = await world.createConversation();
  const before = await result(world, id, "read_file", { path: "AGENTS.md" });
  const told = world.sentPrompt;
  const requests = world.model.requests.length;

  await move(world, id, world.other);
  const after = await result(world, id, "read_file", { path: "AGENTS.md" });
  await world.restart();
  const restarted = await result(world, id, "read_file", { path: "AGENTS.md" });
  const kept = world.sentPrompt;
  const bodies = world.model.requests.map(({ body }) => body);
  const { drift } = await world.client.call(routes.getDrift, { params: { id } });
  const { outcome } = await world.client.call(routes.rebuildPrompt, { params: { id }, body: {} });
  await world.completeTurn(id, "rebuilt");

  expect([before, after, restarted]).toEqual(["Old rules.", "New rules.", "New rules."]);
  expect([told, kept]).toEqual([`In ${world.cwd}: Old rules.`, `In ${world.cwd}: Old rules.`]);
  expect(bodies.length).toBe(requests + 4);
  for (const [index, body] of bodies.slice(1).entries()) expect(body).toStartWith(prefixOf(bodies[index]));
  expect(drift?.hunks[0]?.causes).toMatchObject([
    { kind: "variable", name: "prompt:cwd", detail: `was "${world.cwd}", is "${world.other}"` },
    {
      kind: "variable",
      name: "file:AGENTS.md",
      detail: expect.stringContaining(
        `; from ${join(world.other, "AGENTS.md")}, not ${join(world.cwd, "AGENTS.md")}`,
      ),
    },
  ]);
  expect(outcome).toBe("rebuilt");
  expect(world.sentPrompt).toBe(`In ${world.other}: New rules.`);
});

test("[resolved-once] compaction constructs the prompt of a moved conversation in the new folder", async () => {
  await using world = await newWorld();
  const id = await world.createConversation();
  await world.completeTurn(id, "first");
  await move(world, id, world.other);
  await world.completeTurn(id, "second");
  expect(world.sentPrompt).toBe(`In ${world.cwd}: Old rules.`);

  await world.client.call(routes.compactConversation, { params: { id } });
  await world.completeTurn(id, "third");

  expect(world.sentPrompt).toBe(`In ${world.other}: New rules.`);
});

test("a call requested before a move runs in the old folder", async () => {
  await using world = await newWorld();
  const id = await world.createConversation();
  calling(world, "write_file", { path: "note", content: "kept" });
  const answers: Promise<unknown>[] = [];
  for await (const event of world.client.sendTurn(id, { input: "write" })) {
    if (event.type !== "approval-request") continue;
    await move(world, id, world.other);
    const params = { id, approvalId: event.approvalId };
    answers.push(world.client.call(routes.answerApproval, { params, body: { decision: "allow" } }));
  }
  await Promise.all(answers);

  expect(answers).toHaveLength(1);
  expect(await Bun.file(join(world.cwd, "note")).text()).toBe("kept");
  expect(await Bun.file(join(world.other, "note")).exists()).toBe(false);
  expect(await result(world, id, "list_folder", {})).toBe("AGENTS.md (10 bytes)");
});

test("a missing, invalid or relative folder is rejected, and the conversation stays unchanged", async () => {
  await using world = await newWorld();
  const id = await world.createConversation();
  const params = { id };
  const { conversation } = await world.client.call(routes.getConversation, { params });
  const missing = join(world.home, "it's not there");
  const file = join(world.other, "AGENTS.md");
  const cases = [
    [missing, `there is no such folder; make it with: mkdir -p '${missing.replace("'", String.raw`'\''`)}'`],
    [join(world.home, "a/b"), `there is no such folder; make it with: mkdir -p ${join(world.home, "a/b")}`],
    [file, "it is not a folder; name the folder that it is in"],
    ["other", "it is not absolute; write the full path"],
  ] as const;

  for (const [cwd, why] of cases) {
    const create = (): Promise<unknown> => world.client.call(routes.createConversation, { body: { cwd } });
    const update = (): Promise<unknown> =>
      world.client.call(routes.updateConversation, { params, body: { cwd, title: "Lost" } });
    const refusal = { code: "CWD_INVALID", status: 400, message: `Cannot use cwd "${cwd}": ${why}` };
    for (const call of [create, update])
      expect(await call().catch((error: unknown) => error)).toMatchObject({
        ...refusal,
        details: [{ field: '"cwd"' }],
      });
  }

  expect((await world.client.call(routes.getConversation, { params })).conversation).toEqual(conversation);
  expect((await world.client.call(routes.listConversations)).conversations).toHaveLength(1);
  await mkdir(missing);
  await move(world, id, missing);
  expect((await world.client.call(routes.getConversation, { params })).conversation.cwd).toBe(missing);
});

test("[attack:text-folder-moved] moving a conversation to an untrusted folder sends none of its text", async () => {
  await using world = await newWorld('prompt.untrusted = "ask"');
  world.trust("repo/packages/app");
  const id = await world.createConversation();
  await world.completeTurn(id, "first");
  await move(world, id, world.other);

  const refused = await world.client
    .call(routes.rebuildPrompt, { params: { id }, body: {} })
    .catch((error: unknown) => error);
  const compacted = await world.client
    .call(routes.compactConversation, { params: { id } })
    .catch((error: unknown) => error);
  await world.completeTurn(id, "second");

  const source = join(world.other, "AGENTS.md");
  expect(refused).toMatchObject({ code: "UNTRUSTED_TEXT", details: [{ source, trust: "not-trusted" }] });
  expect(compacted).toMatchObject({ code: "UNTRUSTED_TEXT" });
  expect(world.sentPrompt).toBe(`In ${world.cwd}: Old rules.`);
  for (const { body } of world.model.requests) expect(body).not.toContain("New rules");
  world.trust("other");
  await world.client.call(routes.rebuildPrompt, { params: { id }, body: {} });
  await world.completeTurn(id, "third");
  expect(world.sentPrompt).toBe(`In ${world.other}: New rules.`);
});

test("a move away from a folder's profile requires naming one of the new folder", async () => {
  await using world = await newWorld();
  const agent = (text: string): string => `---\nname: poet\ndescription: Rhymes\n---\n\n${text}\n`;
  await world.write("repo/packages/app/.agents/poet.md", agent("Rhyme here."));
  world.trust("repo/packages/app");
  const { client } = world;
  const { conversation } = await client.call(routes.createConversation, { body: { profile: "poet" } });
  const params = { id: conversation.id };

  const alone = await client
    .call(routes.updateConversation, { params, body: { cwd: world.other } })
    .catch((error: unknown) => error);
  await world.write("other/.agents/poet.md", agent("Rhyme there."));
  const untrusted = await move(world, params.id, world.other).catch((error: unknown) => error);
  expect(alone).toMatchObject({ code: "PROFILE_UNKNOWN", details: [{ field: '"profile"' }] });
  expect(untrusted).toMatchObject({ code: "PROFILE_UNKNOWN" });
  expect((await client.call(routes.getConversation, { params })).conversation).toEqual(conversation);

  world.trust("other");
  await move(world, params.id, world.other);
  await world.completeTurn(params.id, "hello");
  expect(world.sentPrompt).toBe("Rhyme there.");
  const body = { cwd: world.home, profile: null };
  const without = await client.call(routes.updateConversation, { params, body });
  expect(without.conversation).toMatchObject({ cwd: world.home, profile: null });
});

test("a missing folder is reported before the next message and can be replaced", async () => {
  await using world = await newWorld("prompt_refresh = 'turn'\n");
  const id = await world.createConversation();
  const notices = async (input: string): Promise<readonly string[]> => {
    const messages: string[] = [];
    const types: string[] = [];
    for await (const event of world.client.sendTurn(id, { input })) {
      types.push(event.type);
      if (event.type === "folder-notice") messages.push(event.message);
      if (event.type === "turn-end") {
        expect(event.status).toBe("completed");
        break;
      }
    }
    if (messages.length > 0) expect(types.indexOf("folder-notice")).toBeLessThan(types.indexOf("step-start"));
    return messages;
  };

  const before = await notices("there");
  await rm(world.cwd, { recursive: true });
  calling(world, "read_file", { path: "AGENTS.md" });
  const gone = await notices("gone");
  await Bun.write(world.cwd, "a file");
  const replaced = await notices("a file");
  await world.client.call(routes.updateConversation, { params: { id }, body: { title: "Renamed" } });
  await move(world, id, world.other);
  const moved = await notices("moved");

  expect(before).toEqual([]);
  expect(gone).toEqual([
    `The working folder "${world.cwd}" does not exist any more: tools cannot work in it, and its files are not read; make it with: mkdir -p ${world.cwd}, or choose another folder (--cwd DIR, /cwd DIR)`,
  ]);
  expect(replaced).toEqual([expect.stringContaining("is not a folder any more")]);
  expect(moved).toEqual([]);
  expect(world.sentPrompt).toBe(`In ${world.other}: New rules.`);
});
