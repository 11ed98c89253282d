import { modelCallsHandle, type ModelProvider } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { collect, createWorld } from "../testing/test-world.ts";

const answers: Readonly<Record<string, ModelProvider["facts"]>> = {
  "throws at once": () => {
    throw new Error("facts are broken");
  },
  rejects: () => Promise.reject(new Error("facts are broken")),
  "gives what is no price": () => JSON.parse('{ "prices": { "input": "free" } }'),
  "never answers": () => new Promise(() => {}),
};

for (const [what, prices] of Object.entries(answers))
  test(`turns and calls complete without prices when a provider ${what}`, async () => {
    await using world = await createWorld({ prices });
    const calls = world.service(modelCallsHandle);
    const { id } = await world.conversations.create({});
    const request = {
      messages: [{ role: "user" as const, parts: [{ type: "text" as const, text: "Hi" }] }],
      tools: [],
    };

    const turn = await world.clock.advanceUntil(world.turn(id, "Hello"));
    const signal = new AbortController().signal;
    const call = await world.clock.advanceUntil(collect(calls.call(request, { signal })));

    expect(turn.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
    expect(call.at(-1)).toMatchObject({ type: "finish" });
    const [step] = (await world.records.steps(id, { limit: 1 })).items;
    const [record] = (await calls.list({ limit: 1 })).items;
    expect(step).toMatchObject({ prices: null });
    expect(record).toMatchObject({ status: "completed", prices: null });
  });
