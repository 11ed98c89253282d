import { expect, test } from "bun:test";
import { createClient, routes } from "@incipit/transport-contract";
import { createAgentWorld, instructions, promptsOf, stepsOf, textOf, type AgentWorld } from "./agent-world.ts";
import { HostProcess } from "../support/host-process.ts";

const haiku = "Always respond in haiku format.";

test("multi-turn conversation: later messages are sent alone, and the session keeps the instructions", async () => {
  await using world = await createAgentWorld({ config: `system_prompt = "${haiku}"` });
  const { id } = await world.host.createConversation();
  await world.host.turn(id, { input: "say One" });
  await world.host.turn(id, { input: "say Two" });

  const events = await world.host.turn(id, { input: "remember" });

  expect(await promptsOf(world.agent)).toEqual([
    { sessionId: "session-1", texts: [instructions(haiku), "say One"] },
    { sessionId: "session-1", texts: ["say Two"] },
    { sessionId: "session-1", texts: ["remember"] },
  ]);
  expect(JSON.parse(textOf(events))).toEqual([[instructions(haiku), "say One"], ["say Two"], ["remember"]]);
  expect((await stepsOf(world.host, id)).map(({ instructions: told }) => told?.told)).toEqual([
    "now",
    "before",
    "before",
  ]);
});

test("no system prompt: an empty or blank prompt adds no block before messages", async () => {
  for (const prompt of ["", " \\n\\t "]) {
    await using world = await createAgentWorld({ config: `system_prompt = "${prompt}"` });
    const { id } = await world.host.createConversation();

    await world.host.turn(id, { input: "say One" });

    expect(await promptsOf(world.agent)).toEqual([{ sessionId: "session-1", texts: ["say One"] }]);
    expect((await stepsOf(world.host, id))[0]).toMatchObject({ instructions: null, systemSha256: null });
  }
});

test("no system prompt: a profile without one sends the operator's text, never the default", async () => {
  const profile = '[profiles.plain]\nmodel = "helper/default"\n';
  await using world = await createAgentWorld({ config: profile });
  await using configured = await createAgentWorld({ config: `system_prompt = "${haiku}"\n${profile}` });
  const told = async ({ host, agent }: AgentWorld): Promise<readonly string[]> => {
    const { id } = await host.createConversation({ profile: "plain" });
    await host.turn(id, { input: "say One" });
    return (await promptsOf(agent)).at(-1)?.texts ?? [];
  };

  const without = await told(world);
  const client = createClient({ url: world.host.url, token: world.host.token });
  await client.call(routes.setSystemPrompt, { body: { template: "Stored." } });

  expect(without).toEqual(["say One"]);
  expect(await told(world)).toEqual([instructions("Stored."), "say One"]);
  expect(await told(configured)).toEqual([instructions(haiku), "say One"]);
});

test("session restart: a recreated session receives the instructions with its first message", async () => {
  await using world = await createAgentWorld({ config: `system_prompt = "${haiku}"` });
  const { id } = await world.host.createConversation();
  await world.host.turn(id, { input: "say One" });
  await world.host.kill("SIGTERM");
  await using host = await HostProcess.start(world.options);

  await host.turn(id, { input: "say Two" });

  const [first, second] = await promptsOf(world.agent);
  expect(first).toEqual({ sessionId: "session-1", texts: [instructions(haiku), "say One"] });
  expect(second?.sessionId).toBe("session-2");
  expect(second?.texts.length).toBe(3);
  expect(second?.texts[0]).toBe(instructions(haiku));
  expect(second?.texts[1]).toMatch(
    /^<conversation-history>\n[^]*\[user\]\nsay One\n\n\[assistant\]\nOne\n[^]*<\/conversation-history>$/,
  );
  expect(second?.texts[2]).toBe("say Two");
  expect((await stepsOf(host, id)).map(({ instructions: told }) => told?.told)).toEqual(["now", "now"]);
});

test("different agents: each session has its own profile's prompt in any order", async () => {
  await using world = await createAgentWorld({
    agents: { one: {}, two: {} },
    config: `[profiles.poet]
model = "one/default"
system_prompt = "${haiku}"
[profiles.judge]
model = "two/default"
system_prompt = "Weigh both sides."
[profiles.clerk]
model = "one/default"
system_prompt = "File everything."`,
  });
  for (const profile of ["poet", "judge", "clerk", "poet"]) {
    const { id } = await world.host.createConversation({ profile });
    await world.host.turn(id, { input: `say I am the ${profile}` });
  }

  expect((await promptsOf(world.agentNamed("one"))).map(({ texts }) => texts)).toEqual([
    [instructions(haiku), "say I am the poet"],
    [instructions("File everything."), "say I am the clerk"],
    [instructions(haiku), "say I am the poet"],
  ]);
  expect((await promptsOf(world.agentNamed("two"))).map(({ texts }) => texts)).toEqual([
    [instructions("Weigh both sides."), "say I am the judge"],
  ]);
});

test("research and implementation tasks: the first prompt of each task's session has the instructions", async () => {
  await using world = await createAgentWorld({
    config: `[profiles.research]
system_prompt = "Cite every source."
[profiles.implementation]
system_prompt = "Write the test first."`,
  });
  const tasks = ["research", "implementation"];
  await Promise.all(
    tasks.map(async (profile) => {
      const { id } = await world.host.createConversation({ profile });
      const sent = await world.host.fetch(`/conversations/${id}/turns`, {
        body: { input: `say the ${profile} is done` },
        headers: { prefer: "respond-async" },
      });
      expect(sent.status).toBe(202);
      const events = await world.host.fetch(`/conversations/${id}/events?after=0`);
      for await (const chunk of events.body ?? []) if (Buffer.from(chunk).includes("turn-end")) break;
    }),
  );

  const told = (await promptsOf(world.agent)).map(({ texts }) => texts);
  expect(told.toSorted((a, b) => ((a[1] ?? "") < (b[1] ?? "") ? 1 : -1))).toEqual([
    [instructions("Cite every source."), "say the research is done"],
    [instructions("Write the test first."), "say the implementation is done"],
  ]);
});
