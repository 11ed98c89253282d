import { questionCases } from "@incipit/testkit";
import { expect, test } from "bun:test";
import type { Approval } from "@incipit/schema";
import { createStyle } from "../style/style.ts";
import { ApprovalQuestion } from "./approval-question.ts";

const width = 120;

function drawn(
  approval: Approval,
  { isRead }: { readonly isRead: boolean },
): { readonly text: string; readonly keys: readonly string[] } {
  const question = new ApprovalQuestion({
    approval,
    style: createStyle({ depth: 0, scheme: () => "dark", isPlain: true }),
    maxRows: () => 30,
    onAnswer: () => undefined,
    onShowAll: () => undefined,
    editor: { content: () => ({ text: "", isOffering: false }), clear: () => undefined, type: () => undefined },
    timing: { settleMs: 0, setTimer: () => () => undefined, now: () => 0 },
    requestRender: () => undefined,
  });
  const printed = isRead ? question.whole() : [];
  const text = [...printed, ...question.render(width)].join("\n");
  const keys = question.offeredKeys;
  question.input.close();
  return { text, keys };
}

function withoutSpace(text: string): string {
  return text.replaceAll(/[\s│]+/g, "");
}

for (const { name, approval, shows, hides, mayAllow } of questionCases)
  test(`[attack:question-terminal] ApprovalQuestion offers "yes" only for a fully shown call, when ${name}`, () => {
    const first = drawn(approval, { isRead: false });
    const read = drawn(approval, { isRead: true });

    for (const part of hides) expect(first.text + read.text).not.toContain(part);
    const offersYes = [first, read].map(({ keys }) => keys.includes("y"));
    const expected = { yes: [true, true], no: [false, false], "after-reading": [false, true] }[mayAllow.terminal];
    expect(offersYes).toEqual(expected);
    if (mayAllow.terminal === "yes")
      for (const part of shows) expect(withoutSpace(first.text)).toContain(withoutSpace(part));
    if (mayAllow.terminal !== "no")
      for (const part of shows) expect(withoutSpace(read.text)).toContain(withoutSpace(part));
  });
