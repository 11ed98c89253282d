import { expect, test } from "bun:test";
import { answeringHost, refusal } from "../testing/answering-host.ts";
import { bareRecord } from "../testing/bare-record.ts";
import { findStep, type StepPlace } from "./find-step.ts";

const conversation = "01a1fcd7-5c9a-7556-afda-76769002c75c";

function stepId(number: number): string {
  return `01a1fcd7-5c9a-7556-afda-${String(number).padStart(12, "0")}`;
}

function step(number: number): unknown {
  return { ...bareRecord.step, id: stepId(number) };
}

function find(given: string, wanted: string | undefined, ...answers: readonly unknown[]): Promise<unknown> {
  return findStep(answeringHost(...answers).client, given, wanted).then(
    (place: StepPlace) => place,
    (error: unknown) => error,
  );
}

const pages = [{ steps: [step(1), step(2)], nextCursor: "more" }, { steps: [step(3)] }];

test("findStep finds a step by number on any page, by default the last", async () => {
  for (const [wanted, number] of [
    ["1", 1],
    ["2", 2],
    ["3", 3],
    ["last", 3],
    [undefined, 3],
  ] as const)
    expect(await find(conversation, wanted, ...pages)).toEqual({ id: conversation, stepId: stepId(number) });
});

test("findStep names the valid numbers when no step matches", async () => {
  for (const wanted of ["4", "0"])
    expect(await find(conversation, wanted, ...pages)).toMatchObject({
      name: "UsageError",
      message: `Conversation "${conversation}" has the model calls 1 to 3; write --step N, or --step last`,
    });
  expect(await find(conversation, undefined, { steps: [] })).toMatchObject({
    message: expect.stringContaining("has no model call yet"),
  });
});

test("findStep treats other ids as step ids and forwards errors", async () => {
  const place = { conversationId: conversation, stepId: stepId(7) };

  for (const code of ["CONVERSATION_UNKNOWN", "INVALID_REQUEST"] as const) {
    expect(await find(stepId(7), undefined, refusal(code), place)).toEqual({ id: conversation, stepId: stepId(7) });
    expect(await find(stepId(7), "1", refusal(code))).toMatchObject({
      message: expect.stringContaining(`no conversation has the id "${stepId(7)}"`),
    });
  }
  expect(await find(conversation, "1", refusal("INTERNAL"))).toMatchObject({ code: "INTERNAL" });
});
