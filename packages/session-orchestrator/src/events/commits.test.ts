import type { NamespacedWrite, StorageDriver } from "@incipit/kernel";
import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { call, createWorld, say } from "../testing/test-world.ts";

/** What each commit of conversations has to survive, and the types of its events. */
interface Commit {
  readonly survives: string;
  readonly types: readonly string[];
}

function recordCommits(): { readonly driver: StorageDriver; readonly commits: Commit[] } {
  const memory = createMemoryStorage();
  const commits: Commit[] = [];
  const typeOf = (write: NamespacedWrite): readonly string[] =>
    write.kind === "set" && write.key.startsWith("event:")
      ? [/"type":"([a-z-]+)"/.exec(JSON.stringify(write.value))?.[1] ?? ""]
      : [];
  return {
    driver: {
      ...memory,
      async atomic(checks, writes, options = {}) {
        commits.push({ survives: options.survives ?? "machine", types: writes.flatMap(typeOf) });
        return memory.atomic(checks, writes, options);
      },
    },
    commits,
  };
}

test("[never-lost] a turn waits for the disk with what it acknowledges and what comes of it, and not with what it shows on the way", async () => {
  const { driver, commits } = recordCommits();
  await using world = await createWorld({
    storage: driver,
    tools: [
      {
        name: "look",
        description: "",
        inputSchema: { type: "object" },
        isReadOnly: true,
        execute: async () => "seen",
      },
    ],
  });
  const { id } = await world.conversations.create({});
  world.scripts.push(
    () => call({ toolCallId: "call_1", name: "look", input: "{}" }),
    () => say("One ", "two"),
  );

  await world.turn(id, "Look");

  const waiting = commits.filter(({ survives }) => survives === "machine").flatMap(({ types }) => types);
  for (const type of ["turn-start", "tool-call-end", "message-end", "turn-end"]) expect(waiting).toContain(type);
  const others = commits.filter(({ survives }) => survives === "process").flatMap(({ types }) => types);
  expect(others).toContain("step-start");
  const onTheWay = new Set(["step-start", "text-start", "text-delta", "text-end", "tool-call-start"]);
  expect(others.filter((type) => !onTheWay.has(type))).toEqual([]);
});
