import { expect, test } from "bun:test";
import { filesOfResults } from "./amend-prompt.ts";
import { acceptsToolFile } from "./model-abilities.ts";

const picture = { type: "file", mediaType: "image/png", data: { type: "data", data: "aGk=" } } as const;
const sound = { type: "file", mediaType: "audio/wav", data: { type: "data", data: "aGk=" } } as const;
const text = { type: "text", text: "[image] [audio]" } as const;

test("filesOfResults keeps images in results for Gemini 3 and moves other files behind", () => {
  const result = { type: "tool-result" as const, toolCallId: "c", toolName: "look" };
  const other = { ...result, toolCallId: "d", output: { type: "text" as const, value: "x" } };
  const withFiles = (
    ...value: (typeof text | typeof sound | typeof picture)[]
  ): Parameters<typeof filesOfResults>[0] => ({
    role: "tool",
    content: [{ ...result, output: { type: "content", value } }, other],
  });
  const named = { type: "text" as const, text: "A file of the result of look:" };
  const given = withFiles(text, sound, picture);

  for (const model of ["gemini-3-flash-preview", "models/gemini-4-argon", "gemini-flash-latest"])
    expect(filesOfResults(given, model)).toEqual([
      withFiles(text, picture),
      { role: "user", content: [named, sound] },
    ]);
  expect(filesOfResults(given, "gemini-2.5-flash")).toEqual([
    withFiles(text),
    { role: "user", content: [named, sound, named, picture] },
  ]);
  expect(filesOfResults(withFiles(text, picture), "gemini-3-flash-preview")).toEqual([withFiles(text, picture)]);
});

test("acceptsToolFile accepts images and audio for Gemini and nothing for Gemma", () => {
  expect(acceptsToolFile({ model: "gemini-2.5-flash", mediaType: "audio/wav" })).toBe(true);
  expect(acceptsToolFile({ model: "gemini-2.5-flash", mediaType: "image/gif" })).toBe(false);
  expect(acceptsToolFile({ model: "gemma-3-27b-it", mediaType: "image/png" })).toBe(false);
});
