import type { ConversationId, TurnEvent } from "@incipit/schema";
import type { Tool } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { maxShownBytes } from "./tool-output.ts";
import { call, callOne, createWorld, outcomeOf, say, until, type World } from "../testing/test-world.ts";
import { FullableStorage, listStored } from "../testing/hooked-storage.ts";
import { allowedTool } from "../testing/new-tool.ts";

function callBig(world: World, id: ConversationId, toolCallId = "1"): Promise<readonly TurnEvent[]> {
  world.scripts.push(() => call({ toolCallId, name: "big", input: "{}" }));
  return world.turn(id, "go");
}

function outputOf(events: readonly TurnEvent[]): string {
  const end = events.find((event) => event.type === "tool-call-end");
  return end?.output ?? end?.error?.message ?? "";
}

function resultSent({ requests }: World): string {
  const part = requests.at(-1)?.messages.at(-1)?.parts[0];
  return part?.type === "tool-result" ? part.output : "";
}

test("a result of 256 KiB is sent completely; one more byte truncates it", async () => {
  const outputs = ["x".repeat(maxShownBytes), `${"x".repeat(maxShownBytes)}y`];
  await using world = await createWorld({ tools: [allowedTool("big", async () => outputs.shift() ?? "")] });
  const { id } = await world.conversations.create({});

  const whole = await callBig(world, id, "1");
  const cut = await callBig(world, id, "2 of/many");

  expect(outputOf(whole)).toBe("x".repeat(maxShownBytes));
  expect(outputOf(cut)).toBe(
    `${"x".repeat(maxShownBytes / 2)}\n[left out here: 1 bytes]\n${"x".repeat(maxShownBytes / 2 - 1)}y\n[cut: 262144 of 262145 bytes; the whole: GET /conversations/${id}/tool-outputs/2%20of%2Fmany]`,
  );
  expect(resultSent(world)).toBe(outputOf(cut));
  expect(await world.records.toolOutput(id, "2 of/many")).toEqual({
    output: `${"x".repeat(maxShownBytes)}y`,
    sizeBytes: 262_145,
  });
  expect(await outcomeOf(world.records.toolOutput(id, "1"))).toMatchObject({
    code: "TOOL_OUTPUT_UNKNOWN",
  });
});

test("a result is truncated between characters and stored completely", async () => {
  const around = fc.array(fc.constantFrom("x", "é", "漢", "🎉", "\ud800"), { minLength: 4, maxLength: 12 });
  const property = fc.asyncProperty(
    around,
    around,
    fc.integer({ min: 0, max: 12 }),
    async (first, last, before) => {
      const half = "x".repeat(maxShownBytes / 2 - before);
      const text = `${half}${first.join("")}${"y".repeat(26)}${last.join("")}${half}`;
      await using world = await createWorld({ tools: [allowedTool("big", async () => text)] });
      const { id } = await world.conversations.create({});
      const shown = outputOf(await callBig(world, id)).replace(/\n\[cut: .*\]$/, "");
      const [head = "", tail = ""] = shown.split(/\n\[left out here: \d+ bytes\]\n/);
      expect(text.toWellFormed().startsWith(head)).toBe(true);
      expect(text.toWellFormed().endsWith(tail)).toBe(true);
      for (const part of [head, tail]) {
        expect(part.isWellFormed()).toBe(true);
        expect(Buffer.byteLength(part)).toBeLessThanOrEqual(maxShownBytes / 2);
        expect(Buffer.byteLength(part)).toBeGreaterThan(maxShownBytes / 2 - 4);
      }
      expect((await world.records.toolOutput(id, "1")).output).toBe(text.toWellFormed());
    },
  );
  await fc.assert(property, { numRuns: 30 });
});

test("a result over 64 MiB is stored up to the limit and labeled", async () => {
  const text = "é".repeat(40_000_000);
  await using world = await createWorld({ tools: [allowedTool("big", async () => text)] });
  const { id } = await world.conversations.create({});

  const shown = outputOf(await callBig(world, id));
  const kept = await world.records.toolOutput(id, "1");

  expect(shown).toEndWith(
    `\n[cut: 262144 of 80000000 bytes; the first 67108864: GET /conversations/${id}/tool-outputs/1]`,
  );
  expect(kept.sizeBytes).toBe(80_000_000);
  expect(Buffer.byteLength(kept.output)).toBe(67_108_864);
});

test("an error message is truncated like a result", async () => {
  const failing = allowedTool("big", () => Promise.reject(new Error("no ".repeat(200_000))));
  await using world = await createWorld({ tools: [failing] });
  const { id } = await world.conversations.create({});

  const events = await callBig(world, id);

  expect(outputOf(events)).toContain("\n[cut: 262144 of 600000 bytes;");
  expect(events.find(({ type }) => type === "tool-call-end")).toMatchObject({ error: { code: "TOOL_FAILED" } });
  expect(resultSent(world)).toBe(outputOf(events));
});

test("a repeated call id of an earlier epoch does not overwrite its stored output", async () => {
  let count = 0;
  await using world = await createWorld({
    tools: [allowedTool("big", async () => `${(count += 1)}`.repeat(maxShownBytes + 1))],
  });
  const { id } = await world.conversations.create({});
  const first = outputOf(await callBig(world, id, "again"));
  world.scripts.push(() => say("all that was"));
  await world.conversations.compact(id);

  const second = outputOf(await callBig(world, id, "again"));

  world.scripts.push(() => say("all that was"));
  await world.conversations.compact(id);
  const third = outputOf(await callBig(world, id, "again"));

  const named = (text: string): string => decodeURIComponent(/tool-outputs\/(.*)\]$/.exec(text)?.[1] ?? "");
  expect([first, second, third].map(named)).toEqual(["again", "again-2", "again-3"]);
  expect((await world.records.toolOutput(id, named(first))).output).toStartWith("1");
  expect((await world.records.toolOutput(id, named(second))).output).toStartWith("2");
});

test("recover restores the truncated text of a finished call and its complete output", async () => {
  const tools = [
    allowedTool("big", async () => "x".repeat(300_000)),
    allowedTool("slow", () => new Promise(() => {})),
  ];
  const lost = await createWorld({ tools });
  const { id } = await lost.conversations.create({});
  lost.scripts.push(() =>
    call({ toolCallId: "1", name: "big", input: "{}" }, { toolCallId: "2", name: "slow", input: "{}" }),
  );
  await lost.conversations.send(id, { input: "go" });
  const shown = outputOf(await until(lost.conversations.follow(id, { afterSeq: 0 }), "tool-call-end"));

  await using world = await createWorld({ storage: lost.storage, tools });
  await world.turn(id, "on");

  const results = world.requests[0]?.messages[2]?.parts;
  expect(shown).toContain("\n[cut: 262144 of 300000 bytes;");
  expect(results).toMatchObject([
    { toolCallId: "1", output: shown, isError: false },
    { toolCallId: "2", isError: true },
  ]);
  expect((await world.records.toolOutput(id, "1")).output).toBe("x".repeat(300_000));
});

test("an output that cannot be stored fails its turn with an error result", async () => {
  const full = new FullableStorage(({ key }) => key.startsWith("tool-output:"));
  full.isFull = true;
  await using world = await createWorld({
    storage: full.driver,
    tools: [allowedTool("big", async () => "x".repeat(300_000))],
  });
  const { id } = await world.conversations.create({});

  const events = await callBig(world, id);
  const next = await world.turn(id, "on");

  expect(events.at(-1)).toMatchObject({
    type: "turn-end",
    status: "failed",
    error: { message: expect.stringContaining("the disk is full") },
  });
  expect(next.at(-1)).toMatchObject({ status: "completed" });
  expect(world.requests.at(-1)?.messages[2]?.parts).toMatchObject([{ toolCallId: "1", isError: true }]);
});

test("toolOutput throws STORED_DATA_DAMAGED when a chunk is missing", async () => {
  await using world = await createWorld({
    tools: [allowedTool("big", async () => "x".repeat(3_000_000))],
  });
  const { id } = await world.conversations.create({});
  await callBig(world, id);
  const namespace = "session-orchestrator/conversations";
  const parts = await listStored(world.storage, `tool-output:${id}:1:`);
  await world.storage.atomic([], [{ kind: "delete", namespace, key: parts[1]?.key ?? "" }]);

  const failure = await outcomeOf(world.records.toolOutput(id, "1"));

  expect(parts).toHaveLength(23);
  expect(failure).toMatchObject({ code: "STORED_DATA_DAMAGED" });
});

test("a truncated result names the tool and path to read the rest", async () => {
  let read: readonly (string | undefined)[] = [];
  const reader: Tool = {
    ...allowedTool("reader", async (_input, { readOutput }) => {
      read = await Promise.all(["output:1", "output:2", "other"].map(async (path) => readOutput?.(path)));
      return "read";
    }),
    readsOutputs: true,
  };
  await using world = await createWorld({ tools: [allowedTool("big", async () => "é".repeat(200_000)), reader] });
  const { id } = await world.conversations.create({});

  const shown = outputOf(await callBig(world, id, "1"));
  world.scripts.push(callOne("reader", "{}", "r"));
  await world.turn(id, "read on");

  expect(shown).toContain('; the whole: reader with path "output:1", or GET /conversations/');
  expect(read).toEqual(["é".repeat(200_000), undefined, undefined]);
});

test("a stopped call keeps its partial output", async () => {
  const begun = Promise.withResolvers<void>();
  const slow: Tool = {
    ...allowedTool("slow", (_input, { signal }) => {
      begun.resolve();
      const stopped = Promise.withResolvers<string>();
      signal.addEventListener("abort", () => stopped.reject(new Error("printed\n[stopped]")));
      return stopped.promise;
    }),
    givesPartialOutput: true,
  };
  await using world = await createWorld({ tools: [slow] });
  const { id } = await world.conversations.create({});
  world.scripts.push(callOne("slow"));
  await world.conversations.send(id, { input: "go" });
  await begun.promise;

  await world.conversations.stop(id);
  await world.turn(id, "on");

  expect(world.requests.at(-1)?.messages.flatMap(({ parts }) => parts)).toContainEqual(
    expect.objectContaining({
      toolCallId: "1",
      output: "The turn was stopped:\nprinted\n[stopped]",
      isError: true,
    }),
  );
});

test("a tool that returns no string produces an error result", async () => {
  const silent: Tool["execute"] = async () => JSON.parse("null");
  await using world = await createWorld({ tools: [allowedTool("big", silent)] });
  const { id } = await world.conversations.create({});

  const events = await callBig(world, id);

  expect(events.find(({ type }) => type === "tool-call-end")).toMatchObject({
    error: { code: "TOOL_FAILED", message: '"big" returned no text' },
  });
});

test("export and import keep stored tool output", async () => {
  await using source = await createWorld({ tools: [allowedTool("big", async () => "é".repeat(1_000_000))] });
  await using target = await createWorld();
  const { id } = await source.conversations.create({});
  await callBig(source, id);

  await target.conversations.importLines(source.conversations.exportLines(id));

  expect(await target.records.toolOutput(id, "1")).toEqual(await source.records.toolOutput(id, "1"));
});
