import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { join } from "node:path";
import { GlobPattern, type GlobOptions } from "./glob-pattern.ts";

const plain: GlobOptions = { ignoreCase: false, withHidden: false };

function fitting(pattern: string, paths: readonly string[], options: Partial<GlobOptions> = {}): readonly string[] {
  const glob = new GlobPattern(pattern, { ...plain, ...options });
  return paths.filter((path) => glob.verdictOn(path) === "fits");
}

test("GlobPattern matches a name without a slash in any folder, and other patterns from its root", () => {
  const paths = ["package.json", "a/package.json", "a/b.ts", "b.ts", "a/c/b.ts"];

  expect(fitting("package.json", paths)).toEqual(["package.json", "a/package.json"]);
  expect(fitting("*.ts", paths)).toEqual(["a/b.ts", "b.ts", "a/c/b.ts"]);
  expect(fitting("./*.ts", paths)).toEqual(["b.ts"]);
  expect(fitting("a/*", paths)).toEqual(["a/package.json", "a/b.ts"]);
  expect(fitting("a/", paths)).toEqual(["a/package.json", "a/b.ts", "a/c/b.ts"]);
  expect(fitting("**", paths)).toEqual(paths);
  expect(fitting("{a/c,.}/{b,x}.{ts,js}", paths)).toEqual(["b.ts", "a/c/b.ts"]);
});

test("GlobPattern matches hidden names on an explicit dot or on request, and reports others", () => {
  const paths = [".env", "a/.env", ".github/x.yml", ".github/.y.yml", "a/b.yml"];

  expect(fitting(".env", paths)).toEqual([".env", "a/.env"]);
  expect(fitting(".github/**", paths)).toEqual([".github/x.yml"]);
  expect(fitting("**/*.yml", paths)).toEqual(["a/b.yml"]);
  expect(fitting("**/*.yml", paths, { withHidden: true })).toEqual([".github/x.yml", ".github/.y.yml", "a/b.yml"]);
  const verdicts = paths.map((path) => new GlobPattern("*.yml", plain).verdictOn(path));
  expect(verdicts).toEqual(["none", "none", "hidden", "hidden", "fits"]);
});

test("GlobPattern ignores case on request", () => {
  const paths = ["README.md", "Übung.MD", "[a].md"];

  expect(fitting("{readme,übung}.m[D]", paths)).toEqual([]);
  expect(fitting("{readme,übung}.m[D]", paths, { ignoreCase: true })).toEqual(["README.md", "Übung.MD"]);
  expect(fitting("\\[A\\].md", paths, { ignoreCase: true })).toEqual(["[a].md"]);
});

test("GlobPattern explains invalid patterns", () => {
  for (const [pattern, why] of [
    ["../../**", 'has ".."'],
    ["a/{b,../c}", 'has ".."'],
    ["/etc/*", "begins with a slash"],
    ["a[b", "has a [ without its ]"],
    ["a\\", "ends with a backslash"],
    ["{a,b", "has a { without its }"],
    ["{a,b}".repeat(7), "stands for more than 100 patterns"],
    ["./.", "names nothing"],
  ] as const)
    expect(() => new GlobPattern(pattern, plain)).toThrow(why);
});

test("GlobPattern matches what Bun.Glob finds for any pattern", async () => {
  await using folder = await createTempFolder();
  const names = ["a", "b", "ab", ".a", "a.b", "-"];
  const folders = ["", "a.d/", "b.d/", ".c/", "a.d/ab/", "a.d/.c/", ".c/a.d/", "b.d/b.d/b.d/"];
  const paths = folders
    .flatMap((place) => names.map((name) => `${place}${name}`))
    .filter((path) => path !== "a.d/ab");
  for (const path of paths) await Bun.write(join(folder.path, path), "");
  const piece = fc.constantFrom("a", "b", ".", ".c", ".d", "*", "?", "[ab]", "[!a]", "{a,b}", "{a.d,*}", "-");
  const name = fc.oneof(
    fc.constantFrom("**", "**", "*", "a.d", ".c"),
    fc.array(piece, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("")),
  );
  const pattern = fc
    .array(name, { minLength: 1, maxLength: 4 })
    .map((segments) => segments.join("/"))
    .filter((text) => !text.split("/").some((part) => (part !== "**" && /\*\*|^\.\.?$/.test(part)) || part === ""));
  const property = fc.asyncProperty(pattern, fc.boolean(), async (tried, withHidden) => {
    // For a trailing "**", Bun also returns the folder itself.
    const asked = tried.replace(/\*\*$/, "**/*");
    const found: readonly string[] = await Array.fromAsync(
      new Bun.Glob(asked).scan({ cwd: folder.path, dot: withHidden }),
    );
    const anchored = tried.includes("/") ? tried : `./${tried}`;
    const ours = fitting(anchored, paths, { withHidden });
    expect([tried, ours.toSorted()]).toEqual([tried, found.toSorted()]);
    const pruned = ours.filter((path) => {
      const above = path
        .split("/")
        .slice(0, -1)
        .map((_, index, all) => `${all.slice(0, index + 1).join("/")}/`);
      return above.every((below) => new GlobPattern(anchored, { ...plain, withHidden }).mayHold(below));
    });
    expect([tried, pruned]).toEqual([tried, [...ours]]);
  });
  await fc.assert(property, { numRuns: 500 });
});

test("GlobPattern.mayHold prunes folders without possible matches", () => {
  const glob = new GlobPattern("src/{a,b*}/*.ts", plain);

  expect(["src/", "src/a/", "src/bc/", "lib/", "src/c/", "src/a/x/"].filter((path) => glob.mayHold(path))).toEqual([
    "src/",
    "src/a/",
    "src/bc/",
  ]);
});
