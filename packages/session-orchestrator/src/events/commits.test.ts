import type { NamespacedWrite, StorageDriver } from "@incipit/kernel";
import { createMemoryStorage, numberProblems } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { callOne, createWorld, outcomeOf, say, stall } from "../testing/test-world.ts";
import { hookedStorage, listStored } from "../testing/hooked-storage.ts";
import { newTool } from "../testing/new-tool.ts";

interface Commit {
  readonly survives: string;
  readonly types: readonly string[];
}

function recordCommits(): { readonly driver: StorageDriver; readonly commits: Commit[] } {
  const commits: Commit[] = [];
  const typeOf = (write: NamespacedWrite): readonly string[] =>
    write.kind === "set" && write.key.startsWith("event:")
      ? [/"type":"([a-z-]+)"/.exec(JSON.stringify(write.value))?.[1] ?? ""]
      : [];
  return {
    driver: hookedStorage({
      atomic: (writes, { survives = "machine" }) => commits.push({ survives, types: writes.flatMap(typeOf) }),
    }),
    commits,
  };
}

test("[never-lost] a turn waits for the disk for acknowledgements and results, not for streamed events", async () => {
  const { driver, commits } = recordCommits();
  await using world = await createWorld({
    storage: driver,
    tools: [newTool("look", { isReadOnly: true })],
  });
  await world.ask("Look", callOne("look", "{}", "call_1"), () => say("One ", "two"));

  const waiting = commits.filter(({ survives }) => survives === "machine").flatMap(({ types }) => types);
  for (const type of ["turn-start", "tool-call-end", "message-end", "turn-end"]) expect(waiting).toContain(type);
  const others = commits.filter(({ survives }) => survives === "process").flatMap(({ types }) => types);
  expect(others).toContain("step-start");
  const onTheWay = new Set(["step-start", "text-start", "text-delta", "text-end", "tool-call-start"]);
  expect(others.filter((type) => !onTheWay.has(type))).toEqual([]);
});

test("a reply without pauses shares one commit with the turn's end", async () => {
  const { driver, commits } = recordCommits();
  await using world = await createWorld({ storage: driver });
  await world.ask("Go", () => say("One ", "two"));

  const withText = commits.filter(({ types }) => types.some((type) => type.startsWith("text-")));
  expect(withText.map(({ types }) => types)).toEqual([
    ["text-start", "text-delta", "text-end", "step-end", "message-end", "turn-end"],
  ]);
});

function slowDisk(): { readonly driver: StorageDriver; readonly hold: () => PromiseWithResolvers<void> } {
  const memory = createMemoryStorage();
  let disk: Promise<void> = Promise.resolve();
  return {
    driver: {
      ...memory,
      async atomic(checks, writes, options = {}) {
        const result = await memory.atomic(checks, writes, options);
        options.onCommitted?.();
        if (options.survives !== "process") await disk;
        return result;
      },
    },
    hold() {
      const held = Promise.withResolvers<void>();
      disk = held.promise;
      return held;
    },
  };
}

test("[never-lost] the model is called while the message is written; acknowledgement and events wait", async () => {
  const { driver, hold } = slowDisk();
  await using world = await createWorld({ storage: driver });
  const { id } = await world.ask("One");
  const { lastSeq } = await world.conversations.get(id);
  const asked = Promise.withResolvers<void>();
  world.scripts.push(async function* told() {
    asked.resolve();
    yield* say("Two");
  });
  const seen: string[] = [];
  const followed = (async () => {
    for await (const { type } of world.conversations.follow(id, { afterSeq: lastSeq })) {
      seen.push(type);
      if (type === "turn-end") return;
    }
  })();
  const disk = hold();
  let isAcknowledged = false;
  const sent = world.conversations.send(id, { input: "Two" }).then(() => (isAcknowledged = true));

  await asked.promise;
  await new Promise((resolve) => setImmediate(resolve));
  const before = { isAcknowledged, seen: [...seen], lastSeq: (await world.conversations.get(id)).lastSeq };
  disk.resolve();
  await Promise.all([sent, followed]);

  expect(before).toEqual({ isAcknowledged: false, seen: [], lastSeq });
  expect(seen[0]).toBe("turn-start");
  expect(seen).toContain("step-start");
});

test("a message that fails to reach the disk is rejected and its model call stopped", async () => {
  const { driver, hold } = slowDisk();
  await using world = await createWorld({ storage: driver });
  const { id } = await world.ask("One");
  const { lastSeq } = await world.conversations.get(id);
  const stopped = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  world.scripts.push(async function* stalls(request) {
    asked.resolve();
    request.signal.addEventListener("abort", () => stopped.resolve(), { once: true });
    yield* stall(request);
  });
  const disk = hold();
  const sent = outcomeOf(world.conversations.send(id, { input: "Two" }));

  await asked.promise;
  disk.reject(new Error("the disk is gone"));

  expect(await sent).toMatchObject({
    code: "STORAGE_FAILED",
    message: expect.stringContaining("the disk is gone"),
  });
  await stopped.promise;
  expect((await world.conversations.get(id)).lastSeq).toBe(lastSeq);

  hold().resolve();
  await new Promise((resolve) => setImmediate(resolve)); // The turn's end was rejected before this point.
  await world.clock.advance(60_000);
  const three = await world.turn(id, "Three");
  const all = await world.events(id);

  expect(three.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(numberProblems(all)).toEqual([]);
  expect(all.filter(({ type }) => type === "turn-end")).toHaveLength(3);
});

async function left(commits: readonly (readonly NamespacedWrite[])[]): Promise<string> {
  const storage = createMemoryStorage();
  for (const writes of commits) await storage.atomic([], writes);
  const prompts = await storage.list("test.prompts/prompts", {});
  const events = await listStored(storage, "event:");
  const shown = events.filter(({ value }) => JSON.stringify(value).includes('"type":"prompt-resolve"'));
  return `${prompts.length} prompts, ${shown.length} events`;
}

test("a crash during a first turn leaves both the prompt and its event, or neither", async () => {
  const commits: (readonly NamespacedWrite[])[] = [];
  const storage = hookedStorage({ atomic: (writes) => commits.push(writes) });
  await using world = await createWorld({ storage, prompts: ["told once"] });
  await world.ask("hello");

  const found = await Promise.all(commits.map((_, index) => left(commits.slice(0, index + 1))));
  expect(new Set(found)).toEqual(new Set(["0 prompts, 0 events", "1 prompts, 1 events"]));
});
