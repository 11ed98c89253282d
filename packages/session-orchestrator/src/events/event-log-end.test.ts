import type { Storage } from "@incipit/kernel";
import { turnIdSchema } from "@incipit/schema";
import { FakeClock } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { DeltaPace } from "./stored-deltas.ts";
import { EventLog } from "./event-log.ts";

const turnId = turnIdSchema.parse("01a1fcd7-5c9a-7556-afda-76769002c75d");
const event = { type: "turn-end", turnId, status: "completed" } as const;

function newLog(): { readonly log: EventLog; readonly commits: (readonly string[])[]; failNext: () => void } {
  const commits: string[][] = [];
  let isFailing = false;
  const unused = (): never => {
    throw new Error("The test does not use it");
  };
  const storage: Storage = {
    get: unused,
    getVersioned: unused,
    set: unused,
    delete: unused,
    list: unused,
    entries: unused,
    batch: unused,
    watch: unused,
    async atomic(_, writes) {
      if (isFailing) throw new Error("the disk is full");
      commits.push(writes.map(({ key }) => key));
      return { kind: "committed", version: commits.length };
    },
  };
  const log = new EventLog({
    conversationId: "c",
    storage,
    clock: new FakeClock(),
    lastSeq: 0,
    pace: new DeltaPace(),
    maxRecent: () => 1_000,
  });
  return { log, commits, failNext: () => (isFailing = true) };
}

test("end is the last commit of a log; concurrent appends precede it or reject", async () => {
  const { log, commits } = newLog();

  const results = await Promise.allSettled([
    log.append([event], [{ kind: "delete", key: "before" }]),
    log.end([{ kind: "delete", key: "end" }]),
    log.append([event], [{ kind: "delete", key: "behind" }]),
  ]);
  const later = await Promise.allSettled([log.append([event])]);

  expect(commits.flat()).toEqual(["event:c:000000000001", "before", "end"]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
  expect(later).toMatchObject([{ status: "rejected", reason: { code: "CONVERSATION_UNKNOWN" } }]);
});

test("end that fails to store leaves the log open", async () => {
  const { log, failNext } = newLog();
  failNext();

  const results = await Promise.allSettled([log.end([{ kind: "delete", key: "end" }]), log.append([event])]);
  const later = await Promise.allSettled([log.append([event])]);

  expect(results).toMatchObject([
    { reason: { code: "STORAGE_FAILED" } },
    { reason: { code: "CONVERSATION_UNKNOWN" } },
  ]);
  expect(later).toMatchObject([{ reason: { code: "STORAGE_FAILED" } }]);
});
