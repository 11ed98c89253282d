import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { prefixOf, systemTexts } from "../support/request-body.ts";
import { agentFile, createAgentsWorld, type AgentsWorld } from "./agents-world.ts";

/** Easily lost content: quotes, brackets, other alphabets, an empty line, spaces. */
const haiku = 'Always respond in haiku format: "5-7-5".\n\n  [TODO] \\[not:a variable] ü 日本 😀 <system>';
const told = haiku.replace("\\[", "[");

const places: Readonly<Record<string, (world: AgentsWorld, name: string, prompt: string) => Promise<void>>> = {
  "a file in .agents": async (world, name, prompt) => {
    await world.write(`.agents/${name}.md`, agentFile(`name: ${name}`, prompt));
    await world.trust(`.agents/${name}.md`);
  },
  "a file in .claude/agents": async (world, name, prompt) => {
    await world.write(`.claude/agents/${name}.md`, agentFile(`name: ${name}\ndescription: Haiku`, prompt));
    await world.trust(`.claude/agents/${name}.md`);
  },
  "a section of agents.md": async (world, name, prompt) => {
    const section = `# Agents\n\n## ${name}\n\n\`\`\`yaml agent\nmodel: local/test\n\`\`\`\n\n${prompt}\n`;
    await world.write("agents.md", section);
    await world.trust("agents.md");
  },
  "the list of agents.md that the seed's project has": async (world, name, prompt) => {
    const lines = prompt.split("\n").map((line) => (line === "" ? "" : `      ${line}`));
    const config = `<!-- castle-config\nagents:\n  - name: ${name}\n    icon: 🤖\n    color: "#7C3AED"\n    systemPrompt: |\n${lines.join("\n")}\n-->\n`;
    await world.write("agents.md", `# Castle Built-in Agents\n\n${config}`);
    await world.trust("agents.md");
  },
  "a file of the user's": async (world, name, prompt) => {
    await world.write(`${world.user}/agents/${name}.md`, agentFile(`name: ${name}`, prompt));
  },
  "the configuration": (world, name, prompt) =>
    world.restart(`[profiles.${name}]\nsystem_prompt = ${JSON.stringify(prompt)}`),
};

for (const [place, write] of Object.entries(places)) {
  test(`[sent-is-shown] seed 001, step 1: a prompt written in ${place} is in the first request's bytes`, async () => {
    await using world = await createAgentsWorld();
    await write(world, "poet", haiku);

    const id = await world.begin({ profile: "poet" });
    const { body, end } = await world.turn(id, "hello");

    expect(end).toMatchObject({ type: "turn-end", status: "completed" });
    expect(world.model.requests).toHaveLength(1);
    expect(systemTexts(body)).toEqual([told]);
    expect(body).toContain(JSON.stringify(told));
  });
}

test("[byte-prefix] seed 001, step 2: the prompt is identical in every request's system message only", async () => {
  await using world = await createAgentsWorld();
  await places["a file in .agents"]?.(world, "poet", haiku);
  const id = await world.begin({ profile: "poet" });
  await world.turn(id, "one");

  await world.write(".agents/poet.md", agentFile("name: poet", "Somebody else."));
  await world.turn(id, "two");
  await world.turn(id, "three");

  const [first = "", second = "", third = ""] = world.model.requests.map(({ body }) => body);
  expect(second).toStartWith(prefixOf(first));
  expect(third).toStartWith(prefixOf(second));
  for (const body of [first, second, third]) {
    expect(systemTexts(body)).toEqual([told]);
    expect(body.split(JSON.stringify(told))).toHaveLength(2);
  }
});

test("seed 001, step 3: an agent with an empty prompt sends none, overriding the host's", async () => {
  await using world = await createAgentsWorld({ config: 'system_prompt = "The host\'s own."' });
  await world.write(".agents/silent.md", agentFile("name: silent\ndescription: Says nothing", ""));
  await world.write(".agents/open.md", "---\nname: open\n---");
  await world.write(".agents/heir.md", agentFile("name: heir\nprompt: inherit", ""));
  await world.trust(".agents/silent.md", ".agents/open.md", ".agents/heir.md");
  const textsOf = async (profile?: string): Promise<readonly unknown[]> => {
    const id = await world.begin(profile === undefined ? {} : { profile });
    return systemTexts((await world.turn(id, "hello")).body);
  };

  expect(await textsOf("silent")).toEqual([]);
  expect(await textsOf("open")).toEqual([]);
  expect(await textsOf("heir")).toEqual(["The host's own."]);
  expect(await textsOf()).toEqual(["The host's own."]);
});

test("[resolved-once] seed 001, step 4: the prompt survives a restart, also in a new conversation", async () => {
  await using world = await createAgentsWorld();
  await places["a file in .agents"]?.(world, "poet", haiku);
  const id = await world.begin({ profile: "poet" });
  await world.turn(id, "one");

  await world.restart();
  const again = await world.turn(id, "two");
  const fresh = await world.turn(await world.begin({ profile: "poet" }), "one");

  const [first = ""] = world.model.requests.map(({ body }) => body);
  expect(again.body).toStartWith(prefixOf(first));
  expect(fresh.body).toBe(first);
});

test("seed 001, step 5: each agent sends its own prompt in interleaved conversations", async () => {
  await using world = await createAgentsWorld();
  for (const name of ["poet", "pirate"]) await places["a file in .agents"]?.(world, name, `You are the ${name}.`);
  const poet = await world.begin({ profile: "poet" });
  const pirate = await world.begin({ profile: "pirate" });

  for (const input of ["one", "two"]) {
    expect(systemTexts((await world.turn(poet, input)).body)).toEqual(["You are the poet."]);
    expect(systemTexts((await world.turn(pirate, input)).body)).toEqual(["You are the pirate."]);
  }
  expect(world.model.requests.filter(({ body }) => body.includes("poet") && body.includes("pirate"))).toEqual([]);
});

test("seed 001, step 6: schedules, background tasks and standalone calls send it at first", async () => {
  await using world = await createAgentsWorld({ config: "gateway_prompts.cron = false" });
  await places["a file in .agents"]?.(world, "researcher", haiku);
  const { client, model, host } = world;

  await client.call(routes.createSchedule, {
    body: { id: "research", task: "Research it.", every: "24h", profile: "researcher" },
  });
  await client.call(routes.runSchedule, { params: { id: "research" } });
  await model.waitForRequests(1);
  const id = await world.begin({ profile: "researcher" });
  const background = await host.fetch(`${host.url}/conversations/${id}/turns`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${host.token}`,
      "content-type": "application/json",
      prefer: "respond-async",
    },
    body: '{"input":"Implement it."}',
  });
  await model.waitForRequests(2);
  await client.call(routes.createChatCompletion, {
    body: {
      model: "default",
      profile: "researcher",
      messages: [{ role: "user", content: "Just so." }],
      stream: false,
    },
  });

  expect(background.status).toBe(202);
  expect(model.requests.map(({ body }) => systemTexts(body))).toEqual([[told], [told], [told]]);
  expect(model.requests.map(({ body }) => /Research it|Implement it|Just so/.exec(body)?.[0])).toEqual([
    "Research it",
    "Implement it",
    "Just so",
  ]);
});
