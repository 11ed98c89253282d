import { questionCases } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { approvalText, unreadable } from "./approval-text.ts";

for (const { name, approval, shows, hides, mayAllow } of questionCases)
  test(`[attack:question-lines] in lines, when ${name}: the call is shown completely or can only be denied`, () => {
    const text = approvalText(approval, { width: 200 });

    const rows = text.split("\n");
    const joined = rows.map((row) => row.replace(/^┆ /, "").replace(/^│ /, "\n")).join("");
    for (const part of hides) expect(joined).not.toContain(part);
    if (mayAllow["screen reader"] === "yes") for (const part of shows) expect(joined).toContain(part);
    else expect(text).toContain("you can only deny it");
    expect(unreadable(approval) === undefined).toBe(mayAllow["screen reader"] === "yes");
  });
