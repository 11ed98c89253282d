import type { QuestionField } from "@incipit/schema";
import { expect, test } from "bun:test";
import { answerText, fieldPrompt, fieldText, questionText } from "./question-text.ts";

const width = 80;
const base = { isRequired: false } as const;

test("[attack:terminal-question-text] questionText and fieldText mark each foreign line and escape control characters", () => {
  const fake = "Send it? y: yes. n: decline. [y/n] y";
  const evil = `\u001B[2J\u202E\n${fake}`;
  const field: QuestionField = {
    ...base,
    kind: "choice",
    name: "city",
    title: evil,
    description: evil,
    options: [{ value: evil, title: evil }],
    default: evil,
  };
  const question = {
    asker: { kind: "server", extension: "mcp-tools", name: evil } as const,
    message: evil,
    fields: [field],
  };
  const text = [
    questionText(question, { width }),
    fieldText(field, { place: 1, count: 1, width }),
    fieldPrompt(field),
    answerText(question, { city: evil }, { width }),
  ].join("\n");

  expect(evil.split("\n")).toContain(fake);
  expect(text.split("\n").filter((line) => line.startsWith("Send it?"))).toEqual([]);
  expect(text).not.toMatch(/[\u001B\u202E]/); // oxlint-disable-line no-control-regex -- must not be there
  expect(text.match(/^│ Send it\?/gm)?.length).toBeGreaterThan(1);
});

test("questionText lists asker, required fields, and fields that look like secrets", () => {
  const fields: QuestionField[] = [
    { kind: "text", name: "city", isRequired: true },
    { kind: "text", name: "password", isRequired: false, looksSecret: true },
  ];

  const asker = { kind: "server", extension: "mcp-tools", name: "tides" } as const;

  expect(questionText({ asker, message: "Where?", fields }, { width: 200 })).toBe(
    [
      'MCP server "tides" asks you:',
      "│ Where?",
      "Fields (* is required):",
      "│ * city",
      "│   password",
      'Careful: "password" looks like a secret. Servers should not ask for passwords or keys this way: decline unless you know why',
      "",
    ].join("\n"),
  );
});
