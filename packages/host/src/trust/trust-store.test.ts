import { createTempFolder, FakeClock } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { TrustStore } from "./trust-store.ts";

const a = "a".repeat(64);
const b = "b".repeat(64);

interface World extends AsyncDisposable {
  readonly path: string;
  readonly file: string;
  readonly problems: readonly string[];
  store(): TrustStore;
}

async function newWorld(): Promise<World> {
  const folder = await createTempFolder();
  const problems: string[] = [];
  return {
    path: folder.path,
    file: join(folder.path, "trust.json"),
    problems,
    store: () =>
      new TrustStore({
        dataFolder: folder.path,
        clock: new FakeClock(),
        report: (problem) => void problems.push(problem),
      }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

test("TrustStore.judge trusts a file only with its trusted content, until revoked", async () => {
  await using world = await newWorld();
  const store = world.store();
  store.trust("/work/sent", { "incipit.toml": a, "docs/rules.md": b });

  expect(store.judge("/work/sent/incipit.toml", a)).toBe("trusted");
  expect(store.judge("/work/sent/docs/rules.md", b)).toBe("trusted");
  expect(store.judge("/work/sent/incipit.toml", b)).toBe("changed");
  expect(store.judge("/work/sent/AGENTS.md", a)).toBe("not-trusted");
  expect(store.judge("/work/sent/sub/incipit.toml", a)).toBe("not-trusted");
  expect(store.judge("/work/sent-too/incipit.toml", a)).toBe("not-trusted");
  expect(store.forget("/work/sent")).toBe(true);
  expect(store.judge("/work/sent/incipit.toml", a)).toBe("not-trusted");
  expect(store.forget("/work/sent")).toBe(false);
});

test("TrustStore remembers a declined content until the folder is trusted", async () => {
  await using world = await newWorld();
  const store = world.store();
  store.decline("/work/sent", a);

  expect([store.isDeclined("/work/sent", a), store.isDeclined("/work/sent", b)]).toEqual([true, false]);
  store.trust("/work/sent", { "incipit.toml": a });
  expect(store.isDeclined("/work/sent", a)).toBe(false);
});

test("TrustStore writes a private file, and another store sees it immediately", async () => {
  await using world = await newWorld();
  const [one, other] = [world.store(), world.store()];
  expect(other.folders()).toEqual([]);

  one.trust("/work/sent", { "incipit.toml": a });

  expect(other.judge("/work/sent/incipit.toml", a)).toBe("trusted");
  expect((await stat(world.file)).mode & 0o777).toBe(0o600);
  expect((await readdir(world.path)).toSorted()).toEqual(["trust.json", "trust.lock"]);
});

test("TrustStore loses no concurrent write of several processes", async () => {
  await using world = await newWorld();
  const module = JSON.stringify(join(import.meta.dir, "trust-store.ts"));
  const write = async (index: number): Promise<number> => {
    const code = `const { TrustStore } = await import(${module});
      const store = new TrustStore({ dataFolder: ${JSON.stringify(world.path)}, clock: Date, report() {} });
      for (let n = 0; n < 25; n += 1) store.trust(\`/work/${index}-\${n}\`, { "incipit.toml": "${a}" });`;
    return Bun.spawn([process.execPath, "-e", code], { stderr: "inherit" }).exited;
  };

  expect(await Promise.all([write(1), write(2), write(3), write(4)])).toEqual([0, 0, 0, 0]);

  expect(world.store().folders()).toHaveLength(100);
}, 300_000);

for (const damaged of ["", "{", '{"folders":[{"path":"/work/sent","files":{"incipit.toml":"x"}}],"declined":[]}']) {
  test(`TrustStore moves a damaged file aside, trusts nothing and reports it: ${JSON.stringify(damaged)}`, async () => {
    await using world = await newWorld();
    await Bun.write(world.file, damaged);

    expect(world.store().judge("/work/sent/incipit.toml", a)).toBe("not-trusted");

    expect(world.problems).toEqual([expect.stringContaining("no folder is trusted until you trust it again")]);
    const aside = (await readdir(world.path)).find((name) => name.startsWith("trust.json.damaged-"));
    expect(await Bun.file(join(world.path, aside ?? "")).text()).toBe(damaged);
    world.store().trust("/work/sent", { "incipit.toml": a });
    expect(world.store().judge("/work/sent/incipit.toml", a)).toBe("trusted");
    expect(world.problems).toHaveLength(1);
  });
}

test("TrustStore.allow is idempotent per folder and permission", async () => {
  await using world = await newWorld();
  const store = world.store();
  store.trust("/work/sent", {});
  const allowed = (extension: string): Parameters<TrustStore["allow"]>[1] => ({
    tool: "shell",
    by: { kind: "host", extension },
    grants: ["shell(git status:*)"],
    folder: "1-2",
  });

  expect(["one", "one", "other"].map((extension) => store.allow("/work/sent", allowed(extension)).kind)).toEqual([
    "added",
    "known",
    "added",
  ]);
});
