import { stepRecordSchema } from "@incipit/schema";
import { createClient, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { incipit } from "../support/host-process.ts";
import { createAgentWorld, stepsOf } from "./agent-world.ts";

test.each([
  { by: "system-prompt", options: { systemPrompt: "append" }, shown: "in the protocol's field (system-prompt)" },
  { by: "meta", options: { name: "claude-agent-acp" }, shown: "in _meta.systemPrompt (meta)" },
  { by: "block", options: {}, shown: "as a text before the first message (block)" },
] as const)(
  "explain and record show instructions sent by $by, with the exact messages",
  async ({ by, options, shown }) => {
    await using world = await createAgentWorld({
      agents: { helper: options },
      config: 'system_prompt = "Be brief."',
    });
    const { id } = await world.host.createConversation();
    await world.host.turn(id, { input: "read a.txt\nsay one" });
    await world.host.turn(id, { input: "say two" });
    const { data, config } = world.options;
    const run = (...words: readonly string[]) =>
      incipit([...words, "--data", data, "--config", config], { cwd: world.cwd, home: join(data, "..") });

    const explained = await run("conversations", "explain", id);
    const [first, second] = await Promise.all(["1", "2"].map((step) => run("record", "show", id, "--step", step)));
    const json = await run("record", "show", id, "--step", "1", "--json");

    expect(explained.stdout).toEndWith(`The agent was told it ${shown}, earlier in the same session\n`);
    expect(first?.stdout).toContain(`\ntold         ${shown}, with this request\n`);
    expect(second?.stdout).toContain(`\ntold         ${shown}, earlier in the same session\n`);
    expect(stepRecordSchema.parse(JSON.parse(json.stdout)).step.instructions).toEqual({ by, told: "now" });
    const client = createClient({ url: world.host.url, token: world.host.token });
    const steps = await stepsOf(world.host, id);
    const requests = await Promise.all(
      steps.map((step) => client.call(routes.getStepRequest, { params: { id, stepId: step.id } })),
    );
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual(
      Array.from({ length: 2 }, () => "session/prompt acp://helper/session-1"),
    );
    expect(requests.map(({ body }) => body).join("")).toBe((await world.agent.received()).join(""));
  },
);
