import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { paintTools } from "./testing/paint-tool.ts";
import {
  createSubagentsWorld,
  giving,
  outcomes,
  saying,
  tasksOf,
  type SentBody,
  sentBodies,
} from "./testing/subagents-world.ts";

const toolNames = ({ tools = [] }: SentBody): readonly string[] => tools.map((tool) => tool.function.name);

test("without [subagents] enabled the tool is absent, and the extension is not started", async () => {
  await using world = await createSubagentsWorld({ subagents: "", isOn: false });

  await world.turn(await world.createConversation(), "go");

  expect(sentBodies(world).map(toolNames)).toEqual([[]]);
  expect(world.host.kernel.list().find(({ id }) => id === "subagents")).toMatchObject({ phase: "stopped" });
});

test("a task may use only the tools of its parent", async () => {
  const ran: string[] = [];
  await using world = await createSubagentsWorld({
    subagents: "max_depth = 2",
    extensions: [paintTools(ran)],
  });
  const paint = { kind: "tool-calls", calls: [{ id: "p_1", name: "paint", arguments: "{}" }] } as const;
  world.model.enqueue(giving({ profile: "reader", task: "Paint" }), paint, saying("I may not"), saying("Then not"));
  const body = { allowedTools: ["agent", "look*"] };
  const { conversation } = await world.client.call(routes.createConversation, { body });

  const events = await world.turn(conversation.id, "go");

  const [task = ""] = tasksOf(events);
  expect(
    (await world.client.call(routes.getConversation, { params: { id: task } })).conversation.allowedTools,
  ).toEqual(["agent", "look*"]);
  expect(sentBodies(world).map(toolNames)).toEqual(Array.from({ length: 4 }, () => ["agent", "look"]));
  expect(ran).toEqual([]);
  expect(outcomes(events)).toEqual(["I may not"]);
});

test("only the configured profiles are available, and a task has to name one", async () => {
  await using world = await createSubagentsWorld({ subagents: 'profiles = ["writer", "gone"]' });
  world.model.enqueue(
    giving({ task: "Read" }, { profile: "reader", task: "Read" }, { profile: "writer", task: "Write" }),
    saying("Written"),
    saying("Good"),
  );

  const events = await world.turn(await world.createConversation(), "go");

  const definition = JSON.stringify(sentBodies(world)[0]?.tools);
  expect(definition).toContain('Profiles: \\"writer\\".');
  expect(definition).not.toContain("reader");
  expect(new Set(outcomes(events))).toEqual(
    new Set([
      'ERROR Cannot run agent: "profile" must be one of "writer"',
      'ERROR There is no profile "reader" that a task may be given to; there are "writer"',
      "Written",
    ]),
  );
  expect(events.find(({ type }) => type === "tools-resolve")).toMatchObject({
    problems: ['subagents.profiles names the unknown profile "gone"'],
  });
});

test("a task without a profile inherits profile, model and folder of its parent", async () => {
  await using world = await createSubagentsWorld();
  world.model.enqueue(giving({ task: "Go on" }), saying("Done"), saying("Good"));
  const { conversation } = await world.client.call(routes.createConversation, {
    body: { profile: "writer", model: "local/other", cwd: "/tmp" },
  });

  const [task = ""] = tasksOf(await world.turn(conversation.id, "go"));

  const found = await world.client.call(routes.getConversation, { params: { id: task } });
  expect(found.conversation).toMatchObject({ profile: "writer", model: "local/other", cwd: "/tmp" });
});

test("a fork or a reimport of a task is not a task", async () => {
  await using world = await createSubagentsWorld();
  world.model.enqueue(giving({ task: "Read" }), saying("Read it"), saying("Good"));
  const id = await world.createConversation();
  const [task = ""] = tasksOf(await world.turn(id, "go"));

  const fork = await world.client.call(routes.forkConversation, { params: { id: task }, body: {} });
  const exported = await world.client.exportConversation(task);
  const text = await new Response(exported).text();
  await world.client.call(routes.deleteConversation, { params: { id: task } });
  const back = await world.client.importConversation(new Blob([text]));

  expect(fork.conversation).toMatchObject({ parent: null, archived: false });
  expect(text).not.toContain('"parent"');
  expect(back.parent).toBeNull();
  expect((await world.client.call(routes.listTasks, { params: { id } })).tasks).toEqual([]);
});

test("a task is limited by the denials and approvals of its parent's profile", async () => {
  const ran: string[] = [];
  await using world = await createSubagentsWorld({
    config: 'profiles.strict = { system_prompt = "Strict.", tools = { asked = ["look"], denied = ["paint"] } }',
    extensions: [paintTools(ran)],
  });
  world.model.enqueue(giving({ profile: "reader", task: "Paint" }), saying("I may not"), saying("Then not"));
  const { conversation } = await world.client.call(routes.createConversation, { body: { profile: "strict" } });

  const [task = ""] = tasksOf(await world.turn(conversation.id, "go"));

  expect(sentBodies(world).map(toolNames)[1]).toEqual(["look"]);
  const found = await world.client.call(routes.getConversation, { params: { id: task } });
  expect(found.conversation).toMatchObject({ profile: "reader", askedTools: ["look"], deniedTools: ["paint"] });
  const changed = await world.client.call(routes.updateConversation, {
    params: { id: found.conversation.id },
    body: { profile: "writer" },
  });
  expect(changed.conversation).toMatchObject({ profile: "writer", askedTools: ["look"], deniedTools: ["paint"] });
});

test("a task has only servers and skills that both profiles allow", async () => {
  await using world = await createSubagentsWorld({
    config: `profiles.some = { system_prompt = "Some.", mcp_servers = ["a", "b"], skills = ["s"] }
profiles.other = { system_prompt = "Other.", mcp_servers = ["b", "c"] }`,
  });
  world.model.enqueue(giving({ profile: "other", task: "Look" }), saying("Done"), saying("Good"));
  const { conversation } = await world.client.call(routes.createConversation, { body: { profile: "some" } });

  const [task = ""] = tasksOf(await world.turn(conversation.id, "go"));

  const found = await world.client.call(routes.getConversation, { params: { id: task } });
  expect(found.conversation).toMatchObject({ mcpServers: ["b"], skills: ["s"] });
});
