import { questionCases } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { questionFor } from "./approval-requests.ts";

const channel = {
  split: (text: string): readonly string[] => text.match(/[^]{1,4000}/gu) ?? [],
};

for (const { name, approval, shows, hides, mayAllow } of questionCases)
  test(`[attack:question-chat] a chat, when ${name}: shows it whole, or can only deny it`, () => {
    const { contents, offers } = questionFor(
      channel,
      { type: "approval-request", seq: 1, at: "", ...approval },
      undefined,
    );

    const text = contents.map((content) => (content.kind === "text" ? content.text : "")).join("");
    for (const part of hides) expect(text).not.toContain(part);
    if (mayAllow.chat === "yes") for (const part of shows) expect(text).toContain(part);
    else expect(text).toContain("you can only deny it here");
    expect(offers.includes("allow")).toBe(mayAllow.chat === "yes");
    const buttons = contents.flatMap((content) => (content.kind === "text" ? content.buttons : []));
    expect(buttons.map(({ id }) => id.slice(0, id.indexOf(":")))).toEqual([...offers]);
  });

test("[attack:question-chat-frame] a chat escapes a value that would close its code block", () => {
  const frame = questionCases.find(({ name }) => name.startsWith("a value ends a block of code"));
  if (frame === undefined) throw new Error("There is no such case");

  const { contents } = questionFor(
    channel,
    { type: "approval-request", seq: 1, at: "", ...frame.approval },
    undefined,
  );

  const text = contents.map((content) => (content.kind === "text" ? content.text : "")).join("");
  expect(text).toMatch(/\n`{5}\ncommand:\n {2}true\n[^]*\n`{5}$/);
});
