import { expect, test } from "bun:test";
import { skillListText } from "./skill-list-text.ts";

const skill = (index: number): { readonly name: string; readonly description: string } => ({
  name: `skill-${index}`,
  description: `Number ${index}`,
});

test("skillListText lists the first skills that fit and counts the rest", () => {
  const three = [1, 2, 3].map(skill);
  const whole = skillListText(three, { maxListed: 3, maxListBytes: 10_000 });
  const linesOf = (text: string | null): readonly string[] => text?.split("\n").slice(2) ?? [];

  expect(whole.listed).toBe(3);
  expect(linesOf(whole.text)).toEqual(["- skill-1: Number 1", "- skill-2: Number 2", "- skill-3: Number 3"]);
  const two = skillListText(three, { maxListed: 2, maxListBytes: 10_000 });
  expect([two.listed, linesOf(two.text).at(-1)]).toEqual([2, "(1 more skill is not listed here.)"]);
  const most = Buffer.byteLength(whole.text ?? "") - 1;
  expect(skillListText(three, { maxListed: 3, maxListBytes: most }).listed).toBe(3);
  expect(skillListText(three, { maxListed: 3, maxListBytes: most - 1 }).listed).toBe(2);
  expect(skillListText([], { maxListed: 3, maxListBytes: 10_000 })).toEqual({ text: null, listed: 0 });
});
