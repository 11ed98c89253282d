import { expect, test } from "bun:test";
import { routes } from "./routes.ts";

test("[attack:bounds-given-names] a client gives a model or a profile no name that could not be shown, or brought in again", () => {
  const bodies = [
    [routes.createConversation.body, {}],
    [routes.createTurn.body, { input: "Hi" }],
    [routes.previewSystemPrompt.body, {}],
    [routes.lintTemplate.body, {}],
    [routes.createChatCompletion.body, { prompt: "Hi" }],
    [routes.replayStep.body, {}],
  ] as const;
  const takes = (name: string): readonly boolean[] =>
    bodies.map(([schema, body]) => schema.safeParse({ ...body, model: name }).success);

  for (const name of ["x".repeat(1_001), "local/a\nb", "local/\u001b[2J", "local/a\0", "local/a\u2028b"])
    expect(takes(name)).toEqual(bodies.map(() => false));
  expect(routes.createConversation.body.safeParse({ profile: "a\nb" }).success).toBe(false);
  for (const name of ["local/qwen:7b é", "x".repeat(1_000)]) expect(takes(name)).toEqual(bodies.map(() => true)); // It bites: others are taken.
});
