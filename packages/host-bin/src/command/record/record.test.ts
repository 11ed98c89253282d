import { stepRecordSchema } from "@incipit/schema";
import { expect, test } from "bun:test";
import { answeringHost } from "../testing/answering-host.ts";
import { bareRecord } from "../testing/bare-record.ts";
import { runCommand, type Ran } from "../testing/run-command.ts";
import { recordText } from "./record-text.ts";

const { id } = bareRecord.step;

function run(words: readonly string[], ...answers: readonly unknown[]): Promise<Ran> {
  return runCommand(["record", ...words], answeringHost({ steps: [bareRecord.step] }, ...answers));
}

test("record show prints the request and the reply", async () => {
  const said = { id, turnId: id, epoch: 1, createdAt: bareRecord.step.startedAt };
  const user = { ...said, role: "user", parts: [{ type: "text", text: "Hi" }] };
  const reply = { ...said, role: "assistant", parts: [{ type: "text", text: "Hello" }] };
  const told = { ...bareRecord, systemTexts: ["Be brief."], messages: [user], reply };
  const head = (record: unknown): string => recordText(stepRecordSchema.parse(record));

  expect(await run(["show", id], told)).toMatchObject({
    exitCode: 0,
    stdout: `${head(told)}\n--- system\nBe brief.\n\n--- user\nHi\n\n--- reply\nHello\n`,
  });
  expect(await run(["show", id], bareRecord)).toMatchObject({ exitCode: 0, stdout: head(bareRecord) });
  const json = await run(["show", id, "--json"], told);
  expect(json.exitCode).toBe(0);
  expect(JSON.parse(json.stdout)).toMatchObject({ systemTexts: ["Be brief."] });
});

test("record replay fails when the other model fails", async () => {
  const none = { parts: [], usage: null, finishReason: null, error: null, durationMs: null, costUsd: null };
  const then = { model: "local/test", ...none };
  const facts = {
    id,
    conversationId: id,
    stepId: id,
    createdAt: bareRecord.step.startedAt,
    callId: null,
    notes: [],
  };
  const words = ["replay", id, "--model", "local/b"];

  for (const [error, exitCode] of [
    [null, 0],
    [{ code: "X", message: "no credit" }, 1],
  ] as const) {
    const replay = { ...facts, original: then, replay: { ...then, model: "local/b", error } };
    const shown = await run(words, { replay });
    expect(shown.exitCode).toBe(exitCode);
    expect(shown.stdout).toContain("--- local/b (now)\n");
    expect(JSON.parse((await run([...words, "--json"], { replay })).stdout)).toMatchObject({ replay: { error } });
  }
});
