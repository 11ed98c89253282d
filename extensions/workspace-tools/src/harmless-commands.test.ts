import { expect, test } from "bun:test";
import fc from "fast-check";
import { createTempFolder } from "@incipit/testkit";
import { harmlessCommand, harmlessCommands } from "@incipit/schema";

const dangerous: Readonly<
  Record<string, { readonly short?: string; readonly long?: string; readonly words?: string }>
> = {
  base64: { short: "o", long: "output" },
  date: { short: "s", long: "set" },
  diff: { short: "l", long: "paginate" },
  fd: { short: "xXl", long: "exec exec-batch list-details" },
  file: { short: "CzZm", long: "compile uncompress magic-file" },
  find: { words: "-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls -files0-from" },
  "git branch": {
    short: "dDmMcCfu",
    long: "delete move copy force set-upstream-to unset-upstream edit-description",
  },
  "git cat-file": { long: "textconv filters" },
  "git diff": { short: "o", long: "output ext-diff textconv" },
  "git grep": { short: "O", long: "open-files-in-pager ext-grep textconv" },
  "git log": { short: "o", long: "output ext-diff textconv show-signature" },
  "git remote": { long: "prune" },
  "git show": { short: "o", long: "output ext-diff textconv show-signature" },
  "git tag": { short: "adfsuvFm", long: "delete annotate sign verify force file" },
  hostname: { short: "Fb", long: "file boot" },
  jq: { short: "iLf", long: "from-file" },
  printf: { short: "v" },
  rg: { short: "z", long: "pre pre-glob hostname-bin search-zip" },
  sort: { short: "oTS", long: "output compress-program temporary-directory files0-from" },
  tail: { short: "fF", long: "follow" },
  tree: { short: "oRH", long: "output" },
  xxd: { short: "r" },
};

const anyWord = fc.oneof(
  fc.constantFrom("a", "-", "--", "-1", "-n", "-la", "--all", "--color=always", "HEAD", "+%F", "-name", "x=y"),
  fc.string({ maxLength: 6 }),
);

function spellings(begin: string): fc.Arbitrary<string> {
  const { short = "", long = "", words = "" } = dangerous[begin] ?? {};
  const letters = Array.from(short);
  const names = long.split(" ").filter((name) => name !== "");
  const whole = words.split(" ").filter((word) => word !== "");
  return fc.constantFrom(
    ...letters.flatMap((letter) => [`-${letter}`, `-${letter}a`, `-1${letter}`, `-n${letter}`, `-a${letter}=b`]),
    ...names.flatMap((name) => [`--${name}`, `--${name}=a`, `--${name.slice(0, -1)}`, `--${name.slice(0, -1)}=a`]),
    ...whole,
  );
}

test("[attack:process-allowed-command-more] harmlessCommand rejects every writing or executing option in any spelling and position", () => {
  const property = fc.property(
    fc.constantFrom(...Object.keys(dangerous)).chain((begin) => fc.tuple(fc.constant(begin), spellings(begin))),
    fc.array(anyWord, { maxLength: 4 }),
    fc.array(anyWord, { maxLength: 4 }),
    ([begin, option], before, behind) => {
      const [program = "", ...rest] = [...begin.split(" "), ...before, option, ...behind];
      expect(harmlessCommand([program, ...rest]).kind).not.toBe("harmless");
    },
  );
  fc.assert(property, { numRuns: 1_000 });
});

test("harmlessCommands lists each program once with a reason, and none that run others", () => {
  const begins = harmlessCommands.map(({ begin }) => begin);
  const others =
    "sh bash env xargs nohup time timeout nice sudo ssh split csplit sqlite3 m4 gcc cc cmake make sed awk vim vi less more man python python3 perl ruby node bun npx npm pnpm yarn cargo go docker cp mv ln tee tar rsync scp curl wget dd chmod chown rm mkdir touch install tee kill crontab at eval exec source cd export alias command test git";

  expect(begins).toEqual(begins.toSorted());
  expect(new Set(begins).size).toBe(begins.length);
  expect(harmlessCommands.filter(({ why }) => why === "")).toEqual([]);
  for (const program of others.split(" "))
    expect([program, harmlessCommand([program]).kind]).not.toContain("harmless");
  for (const program of ["./ls", "/bin/ls", "LS", "ls/", "ls\u200b"])
    expect(harmlessCommand([program])).toEqual({ kind: "not-listed" });
});

test("harmless commands change no file, with any accepted options", async () => {
  await using folder = await createTempFolder();
  const files = { a: "b\na\na\n", b: "b\n", "d/c": "c\n" };
  const options = (short: string, long: string, words = ""): fc.Arbitrary<string> => {
    const letters = Array.from(short);
    const all = [
      ...letters.map((letter) => `-${letter}`),
      ...letters.map((letter) => `-${letter}1`),
      ...letters.map((letter, index) => `-${letter}${letters[index + 1] ?? ""}`),
      ...long.split(" ").flatMap((name) => (name === "" ? [] : [`--${name}`, `--${name}=1`, `--${name}=a`])),
      ...words.split(" ").filter((word) => word !== ""),
    ];
    return fc.constantFrom(...all, "a", "b", "d", "1", "+1");
  };
  const isThere = harmlessCommands.filter(
    ({ begin }) => !["sleep", "git", "ps"].includes(begin.split(" ")[0] ?? "") && Bun.which(begin) !== null,
  );
  const command = fc
    .constantFrom(...isThere)
    .chain(({ begin, short, long, words }) =>
      fc.tuple(fc.constant(begin), fc.array(options(short, long, words), { maxLength: 5 })),
    );
  const commands = fc
    .sample(command, 100)
    .filter(([begin, words]) => harmlessCommand([begin, ...words]).kind === "harmless");
  for (const [name, text] of Object.entries(files)) await Bun.write(`${folder.path}/${name}`, text);

  const script = commands
    .map(([begin, words]) => [begin, ...words.map((word) => `'${word}'`)].join(" "))
    .join("\n");
  const ran = Bun.spawnSync(["sh", "-c", `${script}\n:`], {
    cwd: folder.path,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
    timeout: 60_000,
  });
  const left = await Array.fromAsync(new Bun.Glob("**").scan({ cwd: folder.path, dot: true }));
  const texts = await Promise.all(
    left.map(async (name) => [name, await Bun.file(`${folder.path}/${name}`).text()]),
  );

  expect(ran.exitCode).toBe(0);
  expect(commands.length).toBeGreaterThan(40);
  expect(Object.fromEntries(texts)).toEqual(files);
}, 120_000);
