import { expect, test } from "bun:test";
import { isPromptPath } from "./prompt-path.ts";

test("isPromptPath accepts file paths, and rejects text that begins with a slash or dot", () => {
  const paths = [
    "~/prompt.md",
    "~/prompts/reviewer",
    "./prompt.md",
    "../shared/prompt",
    "/etc/incipit/prompt.md",
    "/srv/prompts/reviewer",
    "/prompt.txt",
    "prompt.md",
    "@prompt.md",
    "~/My prompts/one.md\n",
    "C:\\prompts\\one.md",
  ];
  const texts = [
    "",
    "You help.",
    "/no_think",
    "/no_think Answer as README.md says",
    "./configure comes before make",
    "[file:prompt.md]",
    "Read ~/prompt.md",
    "~/prompt.md\nRead that",
    "/ separates folders",
  ];

  expect(paths.filter((text) => !isPromptPath(text))).toEqual([]);
  expect(texts.filter((text) => isPromptPath(text))).toEqual([]);
});
