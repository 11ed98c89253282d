import { expect, test } from "bun:test";
import { withoutPadding } from "./log-screen.ts";

const [bold, red, on, reset] = ["\u001B[1m", "\u001B[38;5;1m", "\u001B[48;5;1m", "\u001B[0m"];

test("withoutPadding removes trailing spaces and keeps colours", () => {
  expect(withoutPadding("a b  ")).toBe("a b");
  expect(withoutPadding(`  ${bold}a b${reset}    `)).toBe(`  ${bold}a b${reset}`);
  expect(withoutPadding(`${red}a ${reset} ${bold} ${reset}`)).toBe(`${red}a${reset}${bold}${reset}`);
  expect(withoutPadding("    ")).toBe("");
  expect(withoutPadding("")).toBe("");
});

test("withoutPadding keeps visible spaces: background, underline, cursor", () => {
  for (const seen of [on, "\u001B[7m", "\u001B[4m", "\u001B[1;44m", "\u001B[103m"])
    expect(withoutPadding(`a${seen}  ${reset}`)).toBe(`a${seen}  ${reset}`);
});
