import { approvalSchema } from "@incipit/schema";
import { expect, test } from "bun:test";
import { OpenQuestions } from "./open-questions.ts";

const [before, next] = ["01a1fcd7-5c9a-7556-afda-767690020001", "01a1fcd7-5c9a-7556-afda-767690020002"];
const approval = approvalSchema.parse({
  approvalId: "01a1fcd7-5c9a-7556-afda-76769002c75c",
  turnId: next,
  toolCallId: "call-1",
  name: "shell",
  asker: { kind: "extension", extension: "workspace-tools" },
  input: "{}",
  expiresAt: "2026-01-01T00:00:00.000Z",
});

test("OpenQuestions keeps a question of a later turn when a turn ends", () => {
  const waiting = new OpenQuestions();
  waiting.set({ approvals: [approval], questions: [] });

  waiting.turnEnded(before);
  const kept = waiting.approvals;
  waiting.turnEnded(next);

  expect(kept).toEqual([approval]);
  expect(waiting.approvals).toEqual([]);
});
