import { expect, test } from "bun:test";
import { Glob } from "bun";
import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const root = join(import.meta.dir, "../..");

/** https://docs.github.com/get-started/writing-on-github (section links) */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = text.replaceAll(/^```[\s\S]*?^```/gm, "").matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

test("links of the READMEs, CONTRIBUTING and docs lead to existing files and headings", async () => {
  const pages = [
    "README.md",
    "CONTRIBUTING.md",
    ...["docs/**/*.md", "{apps,packages,extensions}/*/*.md"].flatMap((glob) => [
      ...new Glob(glob).scanSync({ cwd: root }),
    ]),
  ];
  const broken: string[] = [];
  let count = 0;

  for (const page of pages) {
    const text = await Bun.file(join(root, page)).text();
    for (const [, target = ""] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      count += 1;
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? join(root, page) : resolve(root, dirname(page), path);
      const isThere = existsSync(file);
      const hasAnchor = anchor === undefined || (isThere && anchorsOf(await Bun.file(file).text()).has(anchor));
      if (!isThere || !hasAnchor) broken.push(`${page}: ${target} (${relative(root, file)})`);
    }
  }

  expect(count).toBeGreaterThan(30);
  expect(broken).toEqual([]);
});

test("the index of design decisions lists each once by its title", async () => {
  const folder = join(root, "docs/decisions");
  const index = (await Bun.file(join(folder, "README.md")).text()).replaceAll(/\n {2}/g, " ");
  const listed = [...index.matchAll(/^- \[(.+)\]\((.+)\)$/gm)].map(([, title, file]) => ({ file, title }));

  const decisions = await Promise.all(
    [...new Glob("2*.md").scanSync({ cwd: folder })].map(async (file) => {
      const [heading = ""] = (await Bun.file(join(folder, file)).text()).split("\n");
      return { file, title: heading.slice("# ".length) };
    }),
  );
  const byFile = (one: { file?: string | undefined }, other: { file?: string | undefined }): number =>
    (one.file ?? "").localeCompare(other.file ?? "");
  expect(listed.toSorted(byFile)).toEqual(decisions.toSorted(byFile));
});
