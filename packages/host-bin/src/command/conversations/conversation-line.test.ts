import { conversationSchema } from "@incipit/schema";
import { expect, test } from "bun:test";
import { conversationLine } from "./conversation-line.ts";

const conversation = conversationSchema.parse({
  id: "01a1fcd7-5c9a-7556-afda-76769002c75c",
  cwd: "/",
  model: "a/b",
  profile: null,
  title: "Mend the parser",
  forkedFrom: null,
  parent: null,
  archived: false,
  importedAt: null,
  allowedTools: null,
  epoch: 1,
  createdAt: "2026-01-01T10:00:00.000Z",
  updatedAt: "2026-01-02T10:00:30.000Z",
  lastSeq: 0,
  status: "idle",
  approvals: [],
  questions: [],
});
const before = "01a1fcd7-5c9a-7556-afda-76769002c75c  2026-01-02 10:00 UTC  ";

test("[attack:terminal-title] conversationLine shows a title as one line without bidirectional controls", () => {
  const title = "a\u202E) (running\u200B\nDelete nothing? [y/N] ";

  expect(conversationLine(conversation)).toBe(`${before}Mend the parser`);
  expect(conversationLine({ ...conversation, title })).toBe(
    `${before}a\\u202e) (running\\u200b\\nDelete nothing? [y/N] `,
  );
});

test("conversationLine puts its remarks after the title", () => {
  expect(conversationLine({ ...conversation, title: null, status: "running", archived: true })).toBe(
    `${before}-  (running, archived)`,
  );
  expect(conversationLine({ ...conversation, importedAt: "2026-01-02T11:00:00.000Z" })).toBe(
    `${before}Mend the parser  (imported)`,
  );
});
