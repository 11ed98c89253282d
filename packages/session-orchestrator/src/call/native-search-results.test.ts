import { KernelError } from "@incipit/kernel";
import type { ToolSource } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { createWorld, type World } from "../testing/test-world.ts";
import { hookedStorage } from "../testing/hooked-storage.ts";

const crm: ToolSource = {
  id: "mcp",
  tools: async () => ({
    tools: [
      {
        name: "crm__invoice",
        description: "Writes an invoice",
        inputSchema: { type: "object", properties: {} },
        server: { name: "crm", defer: true },
        execute: async () => "written",
      },
    ],
    problems: [],
  }),
};

async function createBrokenWorld(errors: Error[]): Promise<World> {
  const storage = hookedStorage({
    list: ({ prefix }) => {
      const error = prefix?.startsWith("deferred-tools:") === true ? errors.shift() : undefined;
      if (error !== undefined) throw error;
    },
  });
  return createWorld({ storage, toolSources: [crm], lookup: "in-requests" });
}

const namedIn = ({ requests }: World): readonly unknown[] =>
  requests.map(({ lookedUp }) => lookedUp?.named.map(({ name }) => name));

test("a model call retries when its deferred tools cannot be read", async () => {
  await using world = await createBrokenWorld([new Error("The disk is busy")]);
  const { id } = await world.conversations.create({});

  const events = await world.clock.advanceUntil(world.turn(id, "Hello"));
  await world.turn(id, "Hello");

  expect(events.find(({ type }) => type === "step-retry")).toMatchObject({ error: { code: "STORAGE_FAILED" } });
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(namedIn(world)).toEqual([["crm__invoice"], ["crm__invoice"]]);
});

test("a model call sends search results as text when deferred tools are damaged or unreadable", async () => {
  for (const [errors, retries] of [
    [[new KernelError("STORED_VALUE_INVALID", "It is damaged")], 0],
    [Array.from({ length: 4 }, () => new Error("The disk is gone")), 3],
  ] as const) {
    await using world = await createBrokenWorld([...errors]);
    const { id } = await world.conversations.create({});

    const events = await world.clock.advanceUntil(world.turn(id, "Hello"));

    expect(events.filter(({ type }) => type === "step-retry")).toHaveLength(retries);
    expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
    expect(namedIn(world)).toEqual([undefined]);
    expect(world.logged.join()).toContain("told as texts");
  }
});
