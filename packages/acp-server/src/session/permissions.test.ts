import { questionCases } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { toolView } from "../tools/tool-view.ts";
import { permissionQuestion } from "./permissions.ts";

for (const { name, approval, shows, hides, mayAllow } of questionCases)
  test(`[attack:question-editor] an editor, when ${name}: receives the whole call, or can only deny it`, () => {
    const view = toolView({ ...approval, cwd: "/work" });

    const { toolCall, options } = permissionQuestion("a", approval, view);

    const blocks = (toolCall.content ?? []).map((block) =>
      block.type === "diff"
        ? `${block.path}\n${block.newText}`
        : block.type === "content" && block.content.type === "text"
          ? block.content.text
          : "",
    );
    const text = [toolCall.title, ...blocks, ...options.map((option) => option.name)].join("\n");
    for (const part of hides) expect(text).not.toContain(part);
    if (mayAllow.editor === "yes") for (const part of shows) expect(text).toContain(part);
    else expect(text).toContain("you can only deny it");
    expect(options.some(({ kind }) => kind.startsWith("allow"))).toBe(mayAllow.editor === "yes");
  });
