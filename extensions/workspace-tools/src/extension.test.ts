import { toolsPoint } from "@incipit/service-contract";
import { answerText, startExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import extension from "./extension.ts";
import { workspaceToolNames } from "./tool-names.ts";

async function run(
  name: string,
  input: unknown,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<{ readonly result: string; readonly files: Readonly<Record<string, string>> }> {
  await using started = await startExtension(extension, { files });
  const tool = started.contributions(toolsPoint).find((entry) => entry.name === name);
  const call = { conversationId: "c", cwd: "/work", signal: new AbortController().signal };
  const result = await Promise.resolve(tool?.execute(input, call) ?? "")
    .then(answerText)
    .catch((error: Error) => error.message);
  const texts = [...started.files].map(([path, bytes]) => [
    path,
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes),
  ]);
  return { result, files: Object.fromEntries(texts) };
}

test("tools declare whether they are read-only; all others require approval", async () => {
  await using started = await startExtension(extension);

  const tools = started
    .contributions(toolsPoint)
    .map(({ name, isReadOnly, approval }) => [name, isReadOnly, approval]);

  expect(tools).toEqual([
    ["read_file", true, undefined],
    ["list_folder", true, undefined],
    ["find_files", true, undefined],
    ["search", true, undefined],
    ["edit_file", false, "ask"],
    ["write_file", false, "ask"],
    ["shell", false, "ask"],
  ]);
  expect(new Set(tools.map(([name]) => name))).toEqual(new Set(workspaceToolNames));
});

test("an invalid input is rejected with the name of the field", async () => {
  expect((await run("read_file", { path: 1 }, {})).result).toContain('Cannot run read_file: "path":');
  expect((await run("read_file", { path: "a", offset: 0 }, {})).result).toContain('"offset":');
  expect((await run("edit_file", { path: "a", oldText: "", newText: "" }, {})).result).toContain('"oldText":');
  expect((await run("shell", { command: "a", timeoutSeconds: 601 }, {})).result).toContain('"timeoutSeconds":');
  expect((await run("write_file", { path: "a", content: "b", mode: 1 }, {})).result).toContain("mode");
});

test("read_file reports the cut and continues without a gap", async () => {
  const text = Array.from({ length: 5_000 }, (_, index) => `line ${index + 1} é\r\n`).join("");
  let [offset, read, results] = ["1", "", 0];
  while (offset !== "") {
    const { result } = await run("read_file", { path: "a", offset: Number(offset) }, { "/work/a": text });
    const [shown = "", note = ""] = result.split("[cut: ");
    read += shown;
    results += 1;
    offset = /go on with offset (\d+)\]$/.exec(note)?.[1] ?? "";
  }

  expect(read).toBe(text);
  expect(results).toBe(3);
  const { result } = await run("read_file", { path: "a", offset: 3, limit: 1 }, { "/work/a": text });
  expect(result).toBe("line 3 é\r\n[cut: lines 3 to 3 of 5000; go on with offset 4]");
  const beyond = await run("read_file", { path: "a", offset: 9_999 }, { "/work/a": text });
  expect(beyond.result).toBe("[the file has 5000 lines; there is none at offset 9999]");
});

test("read_file stays below 256 KiB for any line length", async () => {
  for (const text of [
    "é".repeat(200_000),
    `${"é".repeat(1_000)}\n`.repeat(500),
    `short\n${"x".repeat(300_000)}\nlast`,
  ]) {
    const { result } = await run("read_file", { path: "a" }, { "/work/a": text });
    expect(Buffer.byteLength(result)).toBeLessThanOrEqual(262_144);
    expect(result).toMatch(/\[cut: .*go on with offset \d+\]$/);
  }
});

test("read_file strips a byte order mark and explains binary files", async () => {
  expect((await run("read_file", { path: "a" }, { "/work/a": "\uFEFFtext" })).result).toBe("text");
  expect((await run("read_file", { path: "a" }, { "/work/a": "" })).result).toBe("[the file is empty]");
  for (const [bytes, why] of [
    [[65, 0, 66], "it is a binary file (3 bytes), and no text"],
    [[0x89, 0x50, 0x4e, 0x47, 0, 1], "it is a binary file, a PNG image (6 bytes), and no text"],
    [[0xff, 0xfe, 65, 0, 66], "it is a binary file, UTF-16 text (5 bytes), and no text"],
    [[65, 0xff, 1], "it has control characters, and is no text"],
  ] as const)
    expect((await run("read_file", { path: "a" }, { "/work/a": new Uint8Array(bytes) })).result).toBe(
      `Cannot read "a": ${why}`,
    );
  expect((await run("read_file", { path: "../a" }, { "/a": "x" })).result).toContain(
    "outside of the working folder",
  );
  const huge = { "/work/a": new Uint8Array(16_777_217) };
  expect((await run("read_file", { path: "a" }, huge)).result).toContain("too large");
});

test("edit_file changes only the given place", async () => {
  const before = "\uFEFFfirst $& é\r\nsecond\r\nthird";
  const edit = { path: "a", oldText: "first $& é\nsecond\n", newText: "1st $1 $&\nline\n" };

  const { result, files } = await run("edit_file", edit, { "/work/a": before });

  expect(result).toBe('Edited "a"');
  expect(files["/work/a"]).toBe("\uFEFF1st $1 $&\r\nline\r\nthird");
  const mixed = await run("edit_file", { path: "a", oldText: "b\nc", newText: "B\nC" }, { "/work/a": "a\r\nb\nc" });
  expect(mixed.files["/work/a"]).toBe("a\r\nB\nC");
});

test("edit_file reports absent and repeated text, including overlaps", async () => {
  for (const [text, oldText, why] of [
    ["abc", "x", "does not occur"],
    ["x x", "x", "more than once"],
    ["aaa", "aa", "more than once"],
  ] as const) {
    const { result, files } = await run("edit_file", { path: "a", oldText, newText: "new" }, { "/work/a": text });
    expect(result).toContain(why);
    expect(files["/work/a"]).toBe(text);
  }
});

test("write_file creates a file with its folders and only overwrites on request", async () => {
  const made = await run("write_file", { path: "x/y.txt", content: "é" }, { "/work/a": "old" });
  expect([made.result, made.files["/work/x/y.txt"]]).toEqual(['Wrote 2 bytes to "x/y.txt"', "é"]);
  const kept = await run("write_file", { path: "a", content: "new" }, { "/work/a": "old" });
  expect([kept.result, kept.files["/work/a"]]).toEqual([
    'Cannot write "a": it is there already; edit it, or say overwrite',
    "old",
  ]);
  const replaced = await run("write_file", { path: "a", content: "new", overwrite: true }, { "/work/a": "old" });
  expect(replaced.files["/work/a"]).toBe("new");
});

test("write_file writes at most 16 MiB", async () => {
  const fits = await run("write_file", { path: "a", content: "x".repeat(16_777_216) }, {});
  const larger = await run("write_file", { path: "a", content: `é${"x".repeat(16_777_215)}` }, {});

  expect([fits.result, fits.files["/work/a"]?.length]).toEqual(['Wrote 16777216 bytes to "a"', 16_777_216]);
  expect(larger.result).toBe('Cannot run write_file: "content" has 16777217 bytes; at most 16777216 are written');
  expect(larger.files).toEqual({});
});

test("list_folder shows folders and sizes, with odd names on one line", async () => {
  const files = { "/work/b": "12", "/work/a/c": "", "/work/x\ny": "" };

  expect((await run("list_folder", {}, files)).result).toBe('a/\nb (2 bytes)\n"x\\ny" (0 bytes)');
  expect((await run("list_folder", { path: "b" }, files)).result).toBe('Cannot list "b": it is not a folder');
  const many = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`/work/${index}`, ""]));
  expect((await run("list_folder", {}, many)).result).toEndWith("[cut: 100 more entries are not shown]");
});

test("find_files omits ignored and hidden files unless requested, and counts matching ones", async () => {
  const files = {
    "/work/.gitignore": "dist/\n",
    "/work/a.ts": "",
    "/work/src/b.ts": "",
    "/work/src/line\nbreak.ts": "",
    "/work/.hidden/c.ts": "",
    "/work/dist/d.ts": "",
    "/work/node_modules/e.ts": "",
    "/work/.git/f.ts": "",
  };
  const find = async (input: object): Promise<string> => (await run("find_files", input, files)).result;
  const hidden = "[1 hidden file would fit too; say withHidden to find it]";
  const shown = ["a.ts", "src/b.ts", '"src/line\\nbreak.ts"'];

  expect(await find({ pattern: "*.ts" })).toBe([...shown, hidden].join("\n"));
  expect(await find({ pattern: "**/*.TS", ignoreCase: true, withHidden: true })).toBe(
    [".hidden/c.ts", ...shown].join("\n"),
  );
  expect(await find({ pattern: "**/*.ts", withIgnored: true })).toBe(
    ["a.ts", "dist/d.ts", "node_modules/e.ts", "src/b.ts", '"src/line\\nbreak.ts"', hidden].join("\n"),
  );
  expect(await find({ pattern: "*", path: "./src/" })).toBe('./src/b.ts\n"./src/line\\nbreak.ts"');
  expect(await find({ pattern: "*.ts", path: ".git" })).toBe(".git/f.ts");
  expect(await find({ pattern: "/work/src/b.*" })).toBe("src/b.ts");
  expect(await find({ pattern: "[b].js" })).toBe(
    "[no file fits]\n[not looked at: links, .git, node_modules and what .gitignore names; say withIgnored, or give such a folder as path]\n[in a pattern, [ab] is one letter; for a name with brackets write \\[ab\\]]",
  );
  expect(await find({ pattern: "none", withIgnored: true })).toBe(
    "[no file fits]\n[not looked at: .git and links; to look into such a folder, give it as path]",
  );
});

test("find_files reports inaccessible folders and invalid patterns", async () => {
  const find = async (input: object): Promise<string> => (await run("find_files", input, { "/work/a": "" })).result;

  expect(await find({ pattern: "*", path: "none" })).toBe('Cannot look below "none": there is no such path');
  expect(await find({ pattern: "*", path: "a" })).toBe('Cannot look below "a": it is not a folder');
  expect(await find({ pattern: "*", path: ".." })).toContain("it is outside of the working folder");
  expect(await find({ pattern: "../../**" })).toBe(
    'Cannot run find_files: "pattern" has "..", and is for paths below a folder; give the folder to look below as "path"',
  );
  expect(await find({ pattern: "" })).toContain('"pattern"');
});

test("find_files reads 50,000 files, shows 500 and counts the rest", async () => {
  const nameOf = (index: number): string => `${Math.floor(index / 8_000)}/${String(index).padStart(5, "0")}`;
  const files = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`/work/${nameOf(index)}`, ""]));
  const find = async (pattern: string): Promise<readonly string[]> =>
    (await run("find_files", { pattern }, files)).result.split("\n");

  const all = await find("**");

  expect(all).toHaveLength(501);
  expect(all[499]).toBe(nameOf(499));
  expect(all[500]).toBe("[cut: 49500 more, changed before these; give a narrower pattern, or a folder as path]");
  expect(await find("*9999")).toEqual([9_999, 19_999, 29_999, 39_999, 49_999].map(nameOf));
});

test("find_files stays below 256 KiB for any path length", async () => {
  const deep = "folder-of-a-long-name/".repeat(50);
  const files = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`/work/${deep}${index}`, ""]));

  const { result } = await run("find_files", { pattern: "*" }, files);

  expect(Buffer.byteLength(result)).toBeLessThanOrEqual(262_144);
  expect(result).toMatch(
    /\n\[cut: 1\d\d more, changed before these; give a narrower pattern, or a folder as path\]$/,
  );
});

test("[attack:bounds-find-pattern] find_files compares each path in bounded time for any pattern", async () => {
  const name = "a".repeat(255);
  const path = `${`${name}/`.repeat(15)}${name}`;
  const hostile = [
    "*a".repeat(499),
    "**/a*/".repeat(166),
    `${"{a,*a*}".repeat(6)}${"*a".repeat(470)}b`,
    `**/${"*a".repeat(490)}/b`,
    `*${"[abcdefghijklmnop]".repeat(50)}b`,
  ];
  const find = async (pattern: string, file: string): Promise<string> =>
    (await run("find_files", { pattern }, { [`/work/${file}`]: "" })).result;

  const results = await Promise.all(hostile.map((pattern) => find(pattern, path)));

  for (const result of results) expect(result).toStartWith("[no file fits]"); // Backtracking would never end.
  expect(results.join("\n")).toContain("[1 path was not compared, it would take too long; give a simpler pattern]");
  expect(await find("{a,b}".repeat(30), "a")).toContain("stands for more than 100 patterns");
  expect(await find(`${"*a".repeat(120)}*`, name)).toBe(name);
});

test("search returns matches in path order without ignored files", async () => {
  const files = {
    "/work/.gitignore": "*.log\n/dist/\n# comment\n",
    "/work/a.log": "needle",
    "/work/dist/x": "needle",
    "/work/src/dist/x": "a needle\r\nb\r\nneedle",
    "/work/src/.gitignore": "!keep.log\ninner",
    "/work/src/keep.log": "needle",
    "/work/src/inner/x": "needle",
    "/work/.git/config": "needle",
    "/work/node_modules/x": "needle",
    "/work/binary": new Uint8Array([0, ...new TextEncoder().encode("needle")]),
  };

  const { result } = await run("search", { pattern: "needle" }, files);

  expect(result).toBe("src/dist/x:1: a needle\nsrc/dist/x:3: needle\nsrc/keep.log:1: needle");
  expect((await run("search", { pattern: "needle", path: "src/keep.log" }, files)).result).toBe(
    "src/keep.log:1: needle",
  );
  expect((await run("search", { pattern: "nothing", path: "src/keep.log" }, files)).result).toBe("[no match]");
  expect((await run("search", { pattern: "nothing" }, files)).result).toBe(
    "[no match]\n[not searched: binary files, .git, node_modules and what .gitignore names; to search such a folder or file, give it as path]",
  );
  expect((await run("search", { pattern: "needle", path: "node_modules" }, files)).result).toBe(
    "node_modules/x:1: needle",
  );
  expect((await run("search", { pattern: "needle", path: "binary" }, files)).result).toBe(
    'Cannot search "binary": it is a binary file (7 bytes), and no text',
  );
});

test("search shows readable parts of invalid UTF-8", async () => {
  const latin = new Uint8Array([...new TextEncoder().encode("caf"), 0xe9, 10, ...new TextEncoder().encode("bar")]);

  expect((await run("search", { pattern: "caf" }, { "/work/a": latin })).result).toBe("a:1: caf\uFFFD");
  expect((await run("search", { pattern: "caf.$", isRegex: true }, { "/work/a": latin })).result).toBe(
    "a:1: caf\uFFFD",
  );
});

test("search rejects text with several lines", async () => {
  expect((await run("search", { pattern: "a\nb" }, { "/work/a": "a\nb" })).result).toBe(
    'Cannot run search: "pattern" has a line break, and lines are searched one by one; search for one of them',
  );
});

test("search takes text literally, and as an expression on request", async () => {
  const files = { "/work/a": "f(x)\nfx\nFX" };

  expect((await run("search", { pattern: "f(x)" }, files)).result).toBe("a:1: f(x)");
  expect((await run("search", { pattern: "^f(x)$", isRegex: true, ignoreCase: true }, files)).result).toBe(
    "a:2: fx\na:3: FX",
  );
  expect((await run("search", { pattern: "(?=x)", isRegex: true }, files)).result).toContain(
    '"pattern" is not a regular expression',
  );
});

test("[attack:bounds-search-regex] search limits the work per line and reports skipped lines", async () => {
  const line = Array.from({ length: 1_000_000 }, (_, index) => ((index * index) % 7 < 3 ? "a" : "b")).join("");
  const files = { "/work/a": `${line}c`, "/work/b": "bac" };
  const search = async (input: object): Promise<string> =>
    (await run("search", { isRegex: true, ...input }, files)).result;

  const hostile = await search({ pattern: "[ab]*a[ab]{900}c" });
  const control = await search({ pattern: "bc$|ac$" }); // Short enough to reach the end of that line.
  const tooLarge = await search({ pattern: "x{1000}".repeat(140) });

  expect(hostile).toMatch(
    /^\[no match\]\n\[not .*\]\n\[of longer lines, the first \d+ characters were searched\]$/,
  );
  expect(control).toContain("a:1: …");
  expect(control).toContain("b:1: bac");
  expect(tooLarge).toContain("too many repeats");
});

test("search is linear for expressions that backtrack elsewhere, with bounded results", async () => {
  const slow = { "/work/a": `${"a".repeat(30_000)}b` };
  expect((await run("search", { pattern: "^(a+)+$", isRegex: true }, slow)).result).toStartWith(
    "[no match]\n[not ",
  );
  const gitignore = { "/work/.gitignore": `${"*a".repeat(60)}b`, [`/work/${"a".repeat(250)}`]: "x" };
  expect((await run("search", { pattern: "x" }, gitignore)).result).toEndWith(":1: x");

  const many = await run("search", { pattern: "x" }, { "/work/a": `${"é".repeat(250)}x\n`.repeat(2_000) });
  expect(Buffer.byteLength(many.result)).toBeLessThanOrEqual(262_144);
  expect(many.result).toMatch(/\[cut: there are more than \d+ matches; search for something narrower\]$/);
  expect(many.result.split("\n")[0]).toMatch(/^a:1: …é+x…$/);
  const long = `/work/${"folder-of-a-long-name/".repeat(50)}a`;
  const deep = await run("search", { pattern: "x" }, { [long]: "x\n".repeat(499) });
  expect(Buffer.byteLength(deep.result)).toBeLessThanOrEqual(262_144);
});

test("search shows a long line from its start when the match is there", async () => {
  const { result } = await run("search", { pattern: "begin" }, { "/work/a": `begin ${"x".repeat(1_000)}` });

  expect(result).toMatch(/^a:1: begin x+…$/);
  const whole = `begin ${"x".repeat(394)}`;
  expect((await run("search", { pattern: "begin" }, { "/work/a": whole })).result).toBe(`a:1: ${whole}`);
});

test("search reads files up to 16 MiB, names larger ones and ends with the 500th match", async () => {
  const line = `needle ${"x".repeat(56)}\n`;
  const files = {
    "/work/a": line.repeat(1_048_576 / line.length),
    "/work/b": "needle",
    "/work/c": `${"x".repeat(16_777_209)}\nthread`,
    ...Object.fromEntries(
      Array.from({ length: 7 }, (_, index) => [`/work/d${index}`, new Uint8Array(16_777_217).fill(120)]),
    ),
  };

  const many = (await run("search", { pattern: "needle" }, files)).result.split("\n");
  const none = (await run("search", { pattern: "nothing" }, files)).result;

  expect(many).toHaveLength(501);
  expect(many.slice(-2)).toEqual([
    `a:500: ${line.trimEnd()}`,
    "[cut: there are more than 500 matches; search for something narrower]",
  ]);
  expect(none.split("\n").at(-1)).toBe(
    "[not searched, of more than 16777216 bytes each: d0, d1, d2, d3, d4 and 2 more]",
  );
  expect((await run("search", { pattern: "thread" }, files)).result).toStartWith("c:2: thread\n[not searched, of");
});

test("search reads any number of files", async () => {
  const nameOf = (index: number): string => `${Math.floor(index / 8_000)}/${String(index).padStart(5, "0")}`;
  const texts = Array.from({ length: 50_000 }, (_, index) => [`/work/${nameOf(index)}`, index < 49_999 ? "" : "x"]);

  const { result } = await run("search", { pattern: "x" }, Object.fromEntries(texts));

  expect(result).toBe(`${nameOf(49_999)}:1: x`);
});

test("search and find_files yield to other work in long files and large folders", async () => {
  const lines = { "/work/a": "x\n".repeat(5_000) };
  const entries = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`/work/${index}`, ""]));
  const turnsDuring = async (files: Readonly<Record<string, string>>, name = "search"): Promise<number> => {
    let turns = 0;
    const count = (): void => {
      turns += 1;
      immediate = setImmediate(count);
    };
    let immediate = setImmediate(count);
    await run(name, { pattern: "needle", ...(name === "search" ? { isRegex: true } : {}) }, files);
    clearImmediate(immediate);
    return turns;
  };
  await turnsDuring({});

  expect(await turnsDuring({ "/work/a": "" })).toBeLessThan(5);
  for (const [turns, least] of [
    [await turnsDuring(lines), 10],
    [await turnsDuring(entries), 90],
    [await turnsDuring(entries, "find_files"), 90],
  ] as const) {
    expect(turns).toBeGreaterThanOrEqual(least);
    expect(turns).toBeLessThan(2 * least);
  }
});
