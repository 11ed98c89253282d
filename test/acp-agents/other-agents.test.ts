import { createTempFolder, startRecordingModelServer, sampleOf } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { HostProcess } from "../support/host-process.ts";
import { stepsOf, textOf } from "./agent-world.ts";
import { otherAgents } from "./other-agents.ts";
import pinned from "../acp-tools/package.json" with { type: "json" };

const told = "Speak as the otter of Maple Street.";

const saidSchema = z.looseObject({ role: z.string().optional() });
const bodySchema = z.looseObject({
  messages: z.array(saidSchema).optional(),
  input: z.array(saidSchema).optional(),
  contents: z.array(saidSchema).optional(),
});

function userMessages(body: string): readonly string[] {
  const { messages, input, contents } = bodySchema.parse(JSON.parse(body));
  const said = messages ?? input ?? contents ?? [];
  return said.filter(({ role }) => role === "user").map((message) => JSON.stringify(message));
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

const taken = sampleOf(otherAgents.map(({ name }) => name));

test.each(otherAgents.filter(({ name }) => taken.has(name)))(
  "$name of npm receives its instructions ($by) once per session, also after a restart",
  async ({ name, by, takesUp, start }) => {
    await using stack = new AsyncDisposableStack();
    const folder = stack.use(await createTempFolder());
    const model = stack.use(await startRecordingModelServer());
    const home = join(folder.path, "home");
    const cwd = join(folder.path, "work");
    // The program may not create anything above the host's data; it has its own folders.
    for (const path of [home, cwd, join(home, "tmp")]) await mkdir(path);
    const { command, env } = await start({ home, model });
    const config = join(folder.path, "incipit.toml");
    await Bun.write(
      config,
      `model = "${name}/default"
system_prompt = "${told}"
[agents.${name}]
command = ${JSON.stringify(command)}
env = ${JSON.stringify(Object.keys(env))}
`,
    );
    const options = {
      data: join(folder.path, "host/data"),
      config,
      cwd,
      env: { ...env, HOME: home, TMPDIR: join(home, "tmp") },
    };
    let host = stack.use(await HostProcess.start(options));
    const { id } = await host.createConversation();
    const calls = () => model.requests.filter(({ wire }) => wire !== undefined);
    const say = async (input: string): Promise<string | undefined> => {
      const events = await host.turn(id, { input });
      expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
      expect(textOf(events)).toMatch(/Reply \d/);
      return calls().find(({ body }) => userMessages(body).at(-1)?.includes(`${input}"`) === true)?.body;
    };

    const one = await say("Say one.");
    const two = await say("Say two.");
    await host.kill("SIGTERM");
    host = stack.use(await HostProcess.start(options));
    const three = await say("Say three.");

    expect(count(calls()[0]?.body ?? "", told)).toBe(1);
    const steps = await stepsOf(host, id);
    const hasTakenUp = takesUp === "at-times" ? steps.at(-1)?.instructions?.told === "before" : takesUp;
    for (const body of [one ?? "", two ?? "", three ?? ""]) {
      expect(count(body, told)).toBe(1);
      const [inMessage, ...others] = userMessages(body).filter((text) => text.includes(told));
      expect(others).toEqual([]);
      if (by === "block") expect(inMessage).toContain("Say one.");
      else expect(inMessage).toBeUndefined();
      // A new session starts with the complete history.
      if (body !== three || hasTakenUp) expect(inMessage ?? "").not.toMatch(/Say (two|three)\./);
    }
    expect(three).toContain("Say one.");
    // A block is part of the resumed session; other instructions are not stored in it.
    const again = by !== "block" || !hasTakenUp;
    expect(steps.map(({ instructions }) => instructions)).toEqual([
      { by, told: "now" },
      { by, told: "before" },
      { by, told: again ? "now" : "before" },
    ]);
    const client = createClient({ url: host.url, token: host.token });
    const sent = await Promise.all(
      steps.map((step) => client.call(routes.getStepRequest, { params: { id, stepId: step.id } })),
    );
    expect(sent.map(({ body }) => count(body, told))).toEqual([1, 0, again ? 1 : 0]);
  },
  180_000,
);

test("the guide lists each agent's tested version and how it receives instructions", async () => {
  const guide = await Bun.file(join(import.meta.dir, "../../docs/guide/other-agents.md")).text();
  const rows = guide.split("\n").filter((line) => line.startsWith("|"));
  const versions = new Map(Object.entries(pinned.dependencies));

  for (const { packages, by } of otherAgents) {
    const said = packages.map((name) => `\`${name}\` ${versions.get(name)}`);
    expect(rows).toContainEqual(expect.stringContaining(`| ${said.join(" with ")} | \`${by}\` |`));
  }
});
