import { createFileSystem, createSpawn, systemClock } from "@incipit/host/drivers";
import { toolsPoint } from "@incipit/service-contract";
import { createTempFolder, startExtension } from "@incipit/testkit";
import { rgPath } from "@vscode/ripgrep";
import workspaceTools from "@incipit/workspace-tools";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { chmod, link, mkdir, symlink, utimes } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

const repository = resolve(import.meta.dir, "../../..");

type Search = (input: object) => Promise<string>;

interface Engines {
  readonly ripgrep: Search;
  readonly own: Search;
  readonly started: () => number;
}

async function startEngines(scope: AsyncDisposableStack, cwd: string, name = "search"): Promise<Engines> {
  let started = 0;
  const start = async (path: string): Promise<Search> => {
    const host = await startExtension(workspaceTools, {
      drivers: {
        fs: (extension, grant) => createFileSystem(extension, grant, { clock: systemClock }),
        spawn: (extension, grant) => {
          const spawn = createSpawn(extension, grant, { clock: systemClock, env: { PATH: path } });
          return {
            ...spawn,
            run: async (...call) => {
              const result = await spawn.run(...call);
              if (result.kind === "exited" && result.exitCode < 2) started += 1;
              return result;
            },
          };
        },
      },
    });
    const tool = scope
      .use(host)
      .contributions(toolsPoint)
      .find((entry) => entry.name === name);
    const call = { conversationId: "conversation-1", cwd, signal: new AbortController().signal };
    return async (input) =>
      Promise.resolve(tool?.execute(input, call) ?? "").then(String, (error: Error) => error.message);
  };
  return { ripgrep: await start(dirname(rgPath)), own: await start("/nonexistent"), started: () => started };
}

test("search returns the same results and order with and without ripgrep, in this repository", async () => {
  await using scope = new AsyncDisposableStack();
  const { ripgrep, own, started } = await startEngines(scope, repository);
  const inputs = [
    { pattern: "walkFiles" },
    { pattern: "incipit", ignoreCase: true },
    { pattern: "export (async )?function\\* ?\\w+", isRegex: true, path: "extensions" },
    { pattern: "\\bTODO\\b|[^\\x00-\\x7F]{2,}", isRegex: true, path: "packages/schema/src" },
    { pattern: "^\\s*}\\);$", isRegex: true, path: "./test/" },
    { pattern: "there is certainly no such text anywhere".split(" ").toReversed().join("-") },
  ];

  for (const input of inputs) expect(await ripgrep(input)).toBe(await own(input));
  expect(started()).toBe(inputs.length);
});

test("[attack:process-search-link] search omits the same files with and without ripgrep, and follows no links", async () => {
  await using scope = new AsyncDisposableStack();
  const folder = scope.use(await createTempFolder());
  const cwd = join(folder.path, "work");
  const needle = "a needle\n";
  const latin = new Uint8Array([...new TextEncoder().encode("needle caf"), 0xe9, 13, 10]);
  const files: Readonly<Record<string, string | Uint8Array>> = {
    ".gitignore": "*.log\n/build/\n!keep.log\nfoo/*\n!foo/in\nb[a-c]r\n",
    ".ignore": "*\n",
    ".rgignore": "*\n",
    ".git/info/exclude": "*\n",
    ".git/config": needle,
    ".env": needle,
    ".hidden/deep": needle,
    "a.log": needle,
    "keep.log": needle,
    "a.txt": needle,
    "a/b": needle,
    "a-b/c": needle,
    "build/x": needle,
    "sub/build/x": needle,
    "sub/.gitignore": "!a.log\nonly/\n",
    "sub/a.log": needle,
    "sub/only/x": needle,
    "foo/in": needle,
    "foo/out": needle,
    bbr: needle,
    bdr: needle,
    "node_modules/x": needle,
    "worktree/.git": needle,
    binary: new Uint8Array([...new TextEncoder().encode(needle), 0]),
    latin: latin,
    crlf: "one\r\na needle\r\n",
    mac: "a needle\ra needle",
    "z\nz": needle,
    zé: needle,
    large: new Uint8Array(16_777_217),
    denied: needle,
  };
  for (const [name, content] of Object.entries(files)) await Bun.write(join(cwd, name), content);
  await Bun.write(join(folder.path, "secret/file"), needle);
  await symlink("../secret", join(cwd, "out"));
  await symlink("../secret/file", join(cwd, "outfile"));
  await symlink("a.txt", join(cwd, "inside"));
  await link(join(cwd, "a.txt"), join(cwd, "second-name"));
  await mkdir(join(cwd, "linked-rules"));
  await Bun.write(join(cwd, "linked-rules/x"), needle);
  await chmod(join(cwd, "denied"), 0o000);
  const { ripgrep, own, started } = await startEngines(scope, cwd);

  const found = (await ripgrep({ pattern: "needle" })).split("\n");

  const paths = found.map((line) => line.slice(0, line.indexOf(":")));
  expect(
    paths.filter((path) => !["denied", "[not searched, of more than 16777216 bytes each"].includes(path)),
  ).toEqual([
    ".env",
    ".hidden/deep",
    "a/b",
    "a-b/c",
    "a.txt",
    "bdr",
    "crlf",
    "foo/in",
    "keep.log",
    "latin",
    "linked-rules/x",
    "mac",
    "second-name",
    "sub/a.log",
    "sub/build/x",
    "worktree/.git",
    '"z\\nz"',
    "zé",
  ]);
  expect(found.join("\n")).toBe(withoutLarge(await own({ pattern: "needle" })));
  for (const input of [
    { pattern: "needle", path: "sub" },
    { pattern: "needle$", isRegex: true },
    { pattern: "^a.needle\\ra", isRegex: true },
    { pattern: "caf.$", isRegex: true },
    { pattern: "caf[^x]", isRegex: true },
    { pattern: "\\Wneedle\\b", isRegex: true },
    { pattern: "NEEDLE", ignoreCase: true },
    { pattern: "needle", path: "out" },
    { pattern: "needle", path: "../secret" },
    { pattern: "needle", path: "node_modules" },
    { pattern: "-needle" },
    { pattern: "--pre=sh" },
  ])
    expect(await ripgrep(input)).toBe(withoutLarge(await own(input)));
  expect(started()).toBeGreaterThan(8);
});

test("[attack:process-find-link] find_files matches with and without ripgrep, newest first, and never leaves the folder", async () => {
  await using scope = new AsyncDisposableStack();
  const folder = scope.use(await createTempFolder());
  const cwd = join(folder.path, "work");
  const names = `.gitignore .ignore .rgignore .git/config .env .hidden/deep.txt a.log keep.log a.txt a/b.txt a-b/c.txt
    build/x.txt sub/build/x.txt sub/.gitignore sub/a.log sub/only/x.txt node_modules/x.txt worktree/.git zé.txt`;
  const texts: Readonly<Record<string, string>> = {
    ".gitignore": "*.log\n/build/\n!keep.log\n",
    ".ignore": "*\n",
    "sub/.gitignore": "!a.log\nonly/\n",
  };
  const files = names.split(/\s+/);
  for (const [index, name] of files.entries()) {
    await Bun.write(join(cwd, name), texts[name] ?? "");
    await utimes(join(cwd, name), index, index);
  }
  await Bun.write(join(folder.path, "secret/file.txt"), "");
  await symlink("../secret", join(cwd, "out"));
  await symlink("../secret/file.txt", join(cwd, "outfile.txt"));
  await symlink("a.txt", join(cwd, "inside.txt"));
  await mkdir(join(cwd, "closed"));
  await Bun.write(join(cwd, "closed/x.txt"), "");
  await chmod(join(cwd, "closed"), 0o000);
  scope.defer(() => chmod(join(cwd, "closed"), 0o700));
  const { ripgrep, own, started } = await startEngines(scope, cwd, "find_files");

  const found = (await ripgrep({ pattern: "*" })).split("\n");

  const closed = "closed/x.txt";
  expect(found.filter((line) => !line.startsWith("[") && line !== closed)).toEqual(
    "zé.txt sub/a.log sub/build/x.txt a-b/c.txt a/b.txt a.txt keep.log".split(" "),
  );
  for (const input of [
    { pattern: "*" },
    { pattern: "**/*.txt", withHidden: true },
    { pattern: "**/*.{txt,log}", withIgnored: true },
    { pattern: "*", withIgnored: true, withHidden: true },
    { pattern: "{sub,a}/**" },
    { pattern: "SUB/*.LOG", ignoreCase: true },
    { pattern: "out/*" },
    { pattern: "*", path: "out" },
    { pattern: "*", path: "../secret" },
    { pattern: "*", path: "node_modules" },
    { pattern: "../../**" },
    { pattern: "sub/../../secret/*" },
    { pattern: "/etc/*" },
    { pattern: join(cwd, "sub/*") },
    { pattern: "--pre=sh" },
  ]) {
    const result = await ripgrep(input);
    expect([input, result]).toEqual([input, await own(input)]);
    expect(result.split("\n").filter((line) => /^[^[C].*(?:secret|outfile|inside|etc)/.test(line))).toEqual([]);
  }
  expect(started()).toBeGreaterThan(8);
});

/** ripgrep searches files of any size and lists matching ones. */
function withoutLarge(result: string): string {
  return result
    .split("\n")
    .filter((line) => !line.startsWith("[not searched, of more than"))
    .join("\n");
}

test("search finds the same matches with and without ripgrep for any expression", async () => {
  await using scope = new AsyncDisposableStack();
  const folder = scope.use(await createTempFolder());
  const lines = [
    "ab",
    "a1 b",
    "é",
    "K\u212Ak",
    "x\ry",
    "[^]",
    "a-b",
    "{2}",
    "٣",
    "_",
    "ÀÉ",
    "",
    " \t",
    "a\\b",
    "ſs",
  ];
  for (const [index, line] of lines.entries()) {
    await Bun.write(join(folder.path, `${index}`), `${line}\n`);
    await Bun.write(join(folder.path, `${index}-crlf`), `${line}\r\n${line}`);
  }
  await Bun.write(join(folder.path, "latin"), new Uint8Array([97, 0xe9, 98, 10]));
  const { ripgrep, own, started } = await startEngines(scope, folder.path);
  const parts = String.raw`a b é K s . \d \D \w \W \s \S \b \B ^ $ \A \z [a-z] [^a] [\d_] [^\w] [\W1] []^] [a\-]
    [[:alpha:]] [[:^digit:]] [-a] [a-] [&&a] \x{e9} \x41 \pL \P{Lu} \{ { } ] \Qa-b\E \\ - \t \r`;
  const atom = fc.constantFrom(" ", ...parts.split(/\s+/));
  const expression = fc
    .array(fc.tuple(atom, fc.constantFrom("", "", "", "*", "+", "?", "{2}", "{1,}", "*?")), {
      minLength: 1,
      maxLength: 4,
    })
    .map((given) => given.map(([part, repeat]) => part + repeat).join(""));
  const pattern = fc
    .tuple(
      fc.constantFrom("", "", "(?i)", "(?m)", "(?s)", "(?i:x)?"),
      fc.array(expression, { minLength: 1, maxLength: 2 }),
    )
    .map(([flags, options]) => `${flags}(${options.join("|")})`);

  const property = fc.asyncProperty(pattern, fc.boolean(), async (tried, ignoreCase) => {
    const input = { pattern: tried, isRegex: true, ignoreCase };
    expect(await ripgrep(input)).toBe(await own(input));
  });
  const known = [String.raw`(\z^)`, String.raw`(a$\b)`, "(^$){2}", "(^a$)"].map((tried): [string, boolean] => [
    tried,
    false,
  ]);
  await fc.assert(property, { numRuns: 150, examples: known });
  expect(started()).toBeGreaterThan(75);
});

test("search falls back to its own engine when ripgrep rejects the expression", async () => {
  await using scope = new AsyncDisposableStack();
  const folder = scope.use(await createTempFolder());
  const bin = join(folder.path, "bin");
  await Bun.write(join(bin, "rg"), "#!/bin/sh\necho 'unrecognized flag' >&2\nexit 2\n");
  await chmod(join(bin, "rg"), 0o755);
  await Bun.write(join(folder.path, "work/a"), "needle");
  const host = scope.use(
    await startExtension(workspaceTools, {
      drivers: {
        fs: (extension, grant) => createFileSystem(extension, grant, { clock: systemClock }),
        spawn: (extension, grant) => createSpawn(extension, grant, { clock: systemClock, env: { PATH: bin } }),
      },
    }),
  );
  const tool = host.contributions(toolsPoint).find(({ name }) => name === "search");

  const call = { conversationId: "c", cwd: join(folder.path, "work"), signal: new AbortController().signal };

  expect(await tool?.execute({ pattern: "needle" }, call)).toBe("a:1: needle");
});
