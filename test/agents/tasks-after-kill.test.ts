import { type ModelReply } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { tasksResponseSchema } from "@incipit/transport-contract";
import { HostWorld } from "../support/host-world.ts";

function giving(task: string): ModelReply {
  return { kind: "tool-calls", calls: [{ id: "call_1", name: "agent", arguments: JSON.stringify({ task }) }] };
}

test("[never-lost] nested tasks of a killed host are interrupted, not rerun, and their parent continues", async () => {
  await using world = await HostWorld.create({ config: "[subagents]\nenabled = true\nmax_depth = 2" });
  const { model } = world;
  const history = async (of: string): Promise<string> => (await world.run("conversations", "history", of)).stdout;
  let id: string;
  {
    await using host = await world.start();
    ({ id } = await host.createConversation());
    model.enqueue(giving("Look far"), giving("Look near"), {
      kind: "text",
      chunks: ["half", " of it"],
      gate: true,
    });
    await host.json(`/conversations/${id}/turns`, {
      body: { input: "Look" },
      headers: { prefer: "respond-async" },
    });
    while (model.requests.length < 3) await host.json("/health");
    await host.kill("SIGKILL");
  }

  await using host = await world.start();
  const below = async (of: string): Promise<readonly string[]> => {
    const { tasks } = tasksResponseSchema.parse(await host.json(`/conversations/${of}/tasks`));
    return tasks.map(({ conversation }) => conversation.id);
  };
  const [far = ""] = await below(id);
  const [near = ""] = await below(far);
  const all = [id, far, near];
  const states = await Promise.all(all.map(async (one) => (await host.conversation(one)).status));
  const histories = await Promise.all(all.map(history));
  const requestsBefore = model.requests.length;
  const again = await host.turn(id, { input: "Go on" });

  expect(await below(near)).toEqual([]);
  expect(states).toEqual(["idle", "idle", "idle"]);
  for (const said of histories) expect(said).toMatch(/cut off|interrupted/);
  expect(requestsBefore).toBe(3);
  expect(again.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(model.requests).toHaveLength(4);
}, 300_000);
