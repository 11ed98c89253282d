import { createTempFolder, sampleCount } from "@incipit/testkit";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { IgnoreRules } from "./ignore-rules.ts";

const folders = ["a", "a/b", "a/b/a", "a/b.c", "b", "b/ab", "b/ab/a", "-", "a b"];
const files = [
  "b.c",
  "ab.c",
  "a/ab.c",
  "a/b/ab",
  "a/b/a/b.c",
  "b/ab/a/ab",
  "b/a.c",
  "-/b",
  "a b/a ",
  "#a",
  "!b",
  "b]",
  "[a",
];

function ignoredByUs(text: string): readonly string[] {
  const rules = new IgnoreRules(text);
  const isIgnored = (path: string, isFolder: boolean): boolean => {
    const cut = path.lastIndexOf("/");
    if (cut !== -1 && isIgnored(path.slice(0, cut), true)) return true;
    return rules.verdictOn(isFolder ? `${path}/` : path) === "ignored";
  };
  return [
    ...folders.filter((path) => isIgnored(path, true)),
    ...files.filter((path) => isIgnored(path, false)),
  ].toSorted();
}

async function ignoredByGit(
  folder: string,
  text: string,
  paths: readonly string[] = [...folders, ...files],
): Promise<readonly string[]> {
  await Bun.write(join(folder, ".gitignore"), text);
  const child = Bun.spawn(["git", "check-ignore", "--no-index", "-z", "--stdin"], {
    cwd: folder,
    stdin: new Blob([paths.map((path) => `${path}\0`).join("")]),
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
  });
  const output = await new Response(child.stdout).text();
  return output.split("\0").slice(0, -1).toSorted();
}

test("IgnoreRules matches git for any rules", async () => {
  await using folder = await createTempFolder();
  for (const path of folders) await mkdir(join(folder.path, path), { recursive: true });
  for (const path of files) await Bun.write(join(folder.path, path), "");
  await Bun.spawn(["git", "init", "-q"], { cwd: folder.path }).exited;
  const pieces = [
    "a",
    "b",
    ".c",
    "*",
    "/**/",
    "?",
    "/",
    "[ab]",
    "[!a]",
    "[^a-b]",
    "[[:alpha:]]",
    "[]-]",
    "\\a",
    "\\*",
    "\\[",
    "-",
    "!",
    "#",
    " ",
  ];
  const line = fc
    .tuple(
      fc.constantFrom("", "", "!", "**/", "/", "!**/"),
      fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 5 }),
      fc.constantFrom("", "", "/", "/**", "  "),
    )
    .map(([start, parts, end]) => `${start}${parts.join("")}${end}`)
    .filter((text) =>
      text
        .replace(/^!/, "")
        .split("/")
        .every((part) => part === "**" || !part.includes("**")),
    );
  const property = fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 5 }), async (lines) => {
    const text = lines.join("\n");
    expect([text, ignoredByUs(text)]).toEqual([text, await ignoredByGit(folder.path, text)]);
  });
  await fc.assert(property, { numRuns: sampleCount(200), examples: [[["/**/", "!a"]], [["/**", "!b"]]] });
});

test("IgnoreRules parses character sets like git", async () => {
  await using folder = await createTempFolder();
  await Bun.spawn(["git", "init", "-q"], { cwd: folder.path }).exited;
  const names = Array.from({ length: 127 }, (_, index) => `x${String.fromCharCode(index + 1)}x`);
  const paths = names.filter((name) => name !== "x/x");
  const classes = "alnum alpha blank cntrl digit graph lower print punct space upper xdigit".split(" ");
  for (const set of [
    ...classes.map((name) => `[[:${name}:]]`),
    "[\\]-]",
    "[a\\-c]",
    "[\\\\]",
    "[!\\]]",
    "[a-]",
    "[--0]",
  ]) {
    const rules = new IgnoreRules(`x${set}x`);
    const ignored = paths.filter((path) => rules.verdictOn(path) === "ignored").toSorted();

    const byGit = [...(await ignoredByGit(folder.path, `x${set}x`, paths))];
    expect({ set, ignored }).toEqual({ set, ignored: byGit });
  }
});

test("IgnoreRules keeps an escaped trailing space like git", async () => {
  await using folder = await createTempFolder();
  await Bun.spawn(["git", "init", "-q"], { cwd: folder.path }).exited;
  const paths = [0, 1, 2, 3].flatMap((count) => [`a${"\\".repeat(count)}`, `a${"\\".repeat(count)} `]);

  for (let count = 0; count < 6; count += 1) {
    const rule = `a${"\\".repeat(count)}  `;
    const rules = new IgnoreRules(rule);
    const ignored = paths.filter((path) => rules.verdictOn(path) === "ignored").toSorted();

    expect({ rule, ignored }).toEqual({ rule, ignored: [...(await ignoredByGit(folder.path, rule, paths))] });
  }
});

test("IgnoreRules ignores a rule that matches nothing", () => {
  for (const rule of ["[a", "a\\", "[[:nothing:]]", "a//b", "/", "!", " ", "", `${"a".repeat(5_000)}*`])
    for (const path of ["a", "[a", "a/b", "a\\"]) expect(new IgnoreRules(rule).verdictOn(path)).toBeUndefined();
  expect(new IgnoreRules("\uFEFFa\r\n").verdictOn("a")).toBe("ignored");
});

test("[attack:bounds-gitignore-globs] IgnoreRules bounds the time of malicious rules", () => {
  const name = "a".repeat(255);
  const path = `${`${name}/`.repeat(15)}${name}`;
  const hostile = [
    `${"*a".repeat(120)}b`,
    `${"**/a*/".repeat(600)}b`,
    `${"a*".repeat(2_000)}b`,
    `**/${"*a".repeat(2_000)}/b`,
    `*${"[abcdefghijklmnopqrstuvwxyz]".repeat(100)}b`,
    `${"*".repeat(4_000)}b`,
    "[".repeat(60_000),
  ];
  const rules = new IgnoreRules(Array.from({ length: 100 }, () => hostile.join("\n")).join("\n"));
  const last = new IgnoreRules(`*\n${hostile.slice(0, 4).join("\n")}`);
  const beyond = new IgnoreRules(`*\n${Array.from({ length: 100 }, () => hostile.join("\n")).join("\n")}`);
  const control = new IgnoreRules(`${"*a".repeat(120)}*`);

  const verdicts = Array.from({ length: 10 }, () => rules.verdictOn(path));

  expect(verdicts).toEqual(verdicts.map(() => undefined)); // It gave up; backtracking would never end.
  expect(control.verdictOn(path)).toBe("ignored");
  expect([last.verdictOn(name), beyond.verdictOn(name)]).toEqual(["ignored", undefined]);
});
