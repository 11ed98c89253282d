import type { QuestionField } from "@incipit/schema";
import { expect, test } from "bun:test";
import { parseQuestion } from "./parse-question.ts";

const city: QuestionField = { kind: "text", name: "city", isRequired: true };

test("[attack:values-question-cut] parseQuestion rejects text too long to be shown completely", () => {
  const long = "word ".repeat(1_000);

  for (const asked of [
    { message: long, fields: [city] },
    { message: "Where?", fields: [{ ...city, title: long }] },
    { message: "Where?", fields: [{ ...city, description: long }] },
    {
      message: "Where?",
      fields: [{ kind: "choice", name: "city", isRequired: true, options: [{ value: "1", title: long }] }],
    },
  ])
    expect(() => parseQuestion(asked)).toThrow(/has more than [\d]+ characters, and would not be shown whole/);
});

test("parseQuestion escapes hidden characters in labels and rejects them in answer values", () => {
  const evil = "invoice\u202Efdp.sh\u200B";
  const field: QuestionField = { ...city, title: evil, description: evil };

  expect(parseQuestion({ message: `${evil}\r\n\u001B[2J`, fields: [field] })).toEqual({
    message: String.raw`invoice\u202efdp.sh\u200b` + "\n" + String.raw`\u001b[2J`,
    fields: [
      {
        ...city,
        title: String.raw`invoice\u202efdp.sh\u200b`,
        description: String.raw`invoice\u202efdp.sh\u200b`,
      },
    ],
  });
  expect(() => parseQuestion({ message: "Where?", fields: [{ ...city, name: evil }] })).toThrow("name of field 1");
});
