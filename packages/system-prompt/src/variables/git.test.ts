import { expect, test } from "bun:test";
import { chmod, readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { Spawn } from "@incipit/kernel";
import { createGitRepository, type GitRepository } from "@incipit/testkit";
import { gitVariables } from "./git.ts";
import { grantedFileSystem, realSpawn } from "../testing/real-drivers.ts";
import { tempPaths } from "../testing/temp-paths.ts";
import { openVariables } from "../testing/open-variables.ts";
import type { Outcome } from "../types.ts";

const newPath = tempPaths();

function read(name: string, cwd: string, spawn: Pick<Spawn, "run"> = realSpawn()): Promise<Outcome> {
  return openVariables(gitVariables, { fs: grantedFileSystem("$cwd"), spawn, cwd })(name);
}

async function plantProgram(): Promise<{ readonly program: string; readonly wasStarted: () => Promise<boolean> }> {
  const place = newPath();
  const program = join(place, "program");
  await Bun.write(program, `#!/bin/sh\ntouch "${place}/started"\nexec cat\n`);
  await chmod(program, 0o755);
  return { program, wasStarted: () => Bun.file(join(place, "started")).exists() };
}

/** Invalidates git's cached stat data. */
async function touch(repository: GitRepository, file: string): Promise<void> {
  await utimes(join(repository.path, file), 1, 1);
}

test("gitVariables returns the branch without a line break", async () => {
  const repository = await createGitRepository(newPath());
  await repository.switchBranch("feature/é");

  expect(await read("branch", repository.path)).toMatchObject({ kind: "value", value: "feature/é" });
});

test("gitVariables returns git's status without the final line break", async () => {
  const repository = await createGitRepository(newPath(), { "a.txt": "1" });
  await repository.write("a.txt", "2");
  await repository.write("b.txt", "new");

  expect(await read("status", repository.path)).toMatchObject({ kind: "value", value: " M a.txt\n?? b.txt" });
});

test("gitVariables returns an empty value for a clean status", async () => {
  const repository = await createGitRepository(newPath());

  expect(await read("status", repository.path)).toMatchObject({ kind: "value", value: "" });
});

test("gitVariables reports not-a-repository outside a repository", async () => {
  const path = newPath();
  await Bun.write(join(path, "file"), "");

  expect(await read("branch", path)).toMatchObject({ kind: "absent", reason: "not-a-repository" });
  expect(await read("status", path)).toMatchObject({ kind: "absent", reason: "not-a-repository" });
});

test("gitVariables returns status and branch name before the first commit", async () => {
  const repository = await createGitRepository(newPath());
  await repository.git("checkout", "--quiet", "--orphan", "empty");

  expect(await read("branch", repository.path)).toMatchObject({ kind: "value", value: "empty" });
  expect(await read("status", repository.path)).toMatchObject({ kind: "value", value: "" });
});

test("gitVariables reports a detached HEAD, a rebase and a bisection", async () => {
  const repository = await createGitRepository(newPath(), { "a.txt": "1" });
  const { path } = repository;
  const first = (await repository.git("rev-parse", "--short=7", "HEAD")).trim();
  await repository.switchBranch("feature/é");
  await repository.write("a.txt", "2");
  await repository.commit("two");
  await repository.git("checkout", "--quiet", "--detach", first);
  const detached = await read("branch", path);
  await repository.git("checkout", "--quiet", "main");
  await repository.write("a.txt", "3");
  await repository.commit("three");
  await repository.git("rebase", "--quiet", "main", "feature/é").catch(() => undefined);
  const rebasing = await read("branch", path);
  await repository.git("rebase", "--abort");
  await repository.git("bisect", "start", "main", first);
  await repository.git("checkout", "--quiet", "--detach", first);
  const bisecting = await read("branch", path);
  await repository.write(".git/BISECT_START", `${"a".repeat(40)}\n`);

  expect(detached).toMatchObject({ kind: "value", value: `HEAD (detached at ${first})` });
  expect(rebasing).toMatchObject({ kind: "value", value: "feature/é (rebasing)" });
  expect(bisecting).toMatchObject({ kind: "value", value: "feature/é (bisecting)" });
  expect(await read("branch", path)).toMatchObject({ kind: "value", value: `HEAD (bisecting, at ${first})` });
});

test("gitVariables reads the folder instead of the index's untracked cache", async () => {
  const repository = await createGitRepository(newPath(), { "a.txt": "1" });
  // Makes git trust its cache: a stale list and a folder with unchanged stat data.
  for (const [key, value] of [
    ["core.untrackedCache", "true"],
    ["core.trustctime", "false"],
    ["core.checkStat", "minimal"],
  ] as const)
    await repository.git("config", key, value);
  await utimes(repository.path, 1, 1);
  await repository.git("update-index", "--force-untracked-cache");
  await repository.git("status");
  await repository.write("hidden.txt", "new");
  await utimes(repository.path, 1, 1);
  expect(await repository.git("status", "--short")).not.toContain("hidden.txt");

  expect(await read("status", repository.path)).toMatchObject({ kind: "value", value: "?? hidden.txt" });
});

test("gitVariables reports why git could not be run", async () => {
  for (const [failure, reason] of [
    ["not-installed", "not-installed"],
    ["timeout", "timeout"],
    ["cwd-not-found", "not-found"],
    ["failed", "failed"],
  ] as const) {
    const spawn: Pick<Spawn, "run"> = { run: async () => ({ kind: "failed", reason: failure }) };
    expect(await read("branch", "/", spawn)).toMatchObject({ kind: "absent", reason });
    expect(await read("status", "/", spawn)).toMatchObject({ kind: "absent", reason });
  }
});

test("gitVariables reports not-found for other names", async () => {
  expect(await read("log", "/")).toMatchObject({ kind: "absent", reason: "not-found" });
});

test("gitVariables does not change the index", async () => {
  const repository = await createGitRepository(newPath(), { "a.txt": "1" });
  await touch(repository, "a.txt");
  const index = join(repository.path, ".git/index");
  const before = await Bun.file(index).bytes();

  await read("status", repository.path);

  expect(await Bun.file(index).bytes()).toEqual(before);
  expect(await readdir(join(repository.path, ".git"))).not.toContain("index.lock");
});

type Plant = (program: string, repository: GitRepository) => Promise<unknown>;

const settings =
  (...entries: readonly (readonly [key: string, value: (program: string) => string])[]): Plant =>
  async (program, repository) => {
    for (const [key, value] of entries) await repository.git("config", key, value(program));
  };
const itself = (program: string): string => program;
const shell = (program: string): string => `!${program}`;
const yes = (): string => "true";

const plants: Readonly<Record<string, Plant>> = {
  "core.fsmonitor": settings(["core.fsmonitor", itself]),
  "core.pager": settings(["core.pager", itself], ["pager.status", yes], ["pager.config", yes]),
  "diff.external": settings(["diff.external", itself], ["diff.x.textconv", itself], ["diff.x.command", itself]),
  "an alias": settings(["alias.status", shell], ["alias.rev-parse", shell], ["alias.config", shell]),
  "filter.x.clean": settings(["filter.x.clean", itself]),
  "filter.x.process": settings(["filter.x.process", itself], ["filter.x.required", yes]),
  "a filter with dots": settings(["filter.x.clean", itself], ["filter.a.b.clean", itself]),
  "core.sshCommand": settings(["core.sshCommand", itself], ["core.askPass", itself], ["credential.helper", shell]),
  "a filter of an included configuration": async (program, repository) => {
    await repository.write(".git/more", `[filter "x"]\n\tclean = ${program}\n\tprocess = ${program}\n`);
    await repository.git("config", "include.path", "more");
  },
  "a filter of a worktree's configuration": async (program, repository) => {
    await repository.git("config", "extensions.worktreeConfig", "true");
    await repository.git("config", "--worktree", "filter.x.clean", program);
  },
  "a hook": async (program, repository) => {
    await repository.write(".git/own/post-index-change", await Bun.file(program).text());
    await chmod(join(repository.path, ".git/own/post-index-change"), 0o755);
    await repository.git("config", "core.hooksPath", ".git/own");
  },
};

for (const [name, plant] of Object.entries(plants)) {
  test(`gitVariables runs no program that the repository names by ${name}`, async () => {
    const { program, wasStarted } = await plantProgram();
    const repository = await createGitRepository(newPath(), {
      "a.txt": "1",
      ".gitattributes": "a.txt filter=x diff=x",
    });
    await plant(program, repository);
    await touch(repository, "a.txt");

    const branch = await read("branch", repository.path);
    const status = await read("status", repository.path);

    expect(await wasStarted()).toBe(false);
    expect(branch).toMatchObject({ kind: "value", value: "main" });
    expect(status).toMatchObject({ kind: "value", value: "" });
  });
}

test("an unrestricted git runs the planted filter", async () => {
  const { program, wasStarted } = await plantProgram();
  const repository = await createGitRepository(newPath(), { "a.txt": "1", ".gitattributes": "a.txt filter=x" });
  await repository.git("config", "filter.x.clean", program);
  await touch(repository, "a.txt");

  await repository.git("status", "--short");

  expect(await wasStarted()).toBe(true);
});

test("gitVariables returns no status if a filter cannot be disabled", async () => {
  const { program, wasStarted } = await plantProgram();
  const repository = await createGitRepository(newPath(), { "a.txt": "1", ".gitattributes": "a.txt filter=x=y" });
  await Bun.write(
    join(repository.path, ".git/config"),
    `[core]\n\tbare = false\n[filter "x=y"]\n\tclean = ${program}\n`,
  );
  await touch(repository, "a.txt");

  expect(await read("status", repository.path)).toMatchObject({ kind: "absent", reason: "failed" });
  expect(await wasStarted()).toBe(false);
});

test("[attack:git-filter-of-user] gitVariables runs no filter of the user, which repository settings may redirect", async () => {
  const { program, wasStarted } = await plantProgram();
  const repository = await createGitRepository(newPath(), { "a.txt": "1", ".gitattributes": "a.txt filter=x" });
  const global = join(newPath(), "gitconfig");
  // Like git-lfs, which runs the value of lfs.extension.NAME.clean from any configuration.
  const clean = `sh -c 'eval "$(git config x.extension)"; cat'`;
  await Bun.write(global, `[filter "x"]\n\tclean = ${JSON.stringify(clean)}\n\trequired = true\n`);
  await repository.git("config", "x.extension", `${program} < /dev/null`);
  await touch(repository, "a.txt");

  const spawn = realSpawn({ env: { GIT_CONFIG_GLOBAL: global } });

  expect(await read("status", repository.path, spawn)).toMatchObject({ kind: "value", value: "" });
  expect(await wasStarted()).toBe(false);
  await repository.git("-c", `filter.x.clean=${clean}`, "status", "--short");
  expect(await wasStarted()).toBe(true);
});

test("gitVariables runs no program of a submodule", async () => {
  const { program, wasStarted } = await plantProgram();
  const inner = await createGitRepository(newPath(), { "a.txt": "1", ".gitattributes": "a.txt filter=x" });
  const outer = await createGitRepository(newPath());
  await outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.path, "sub");
  await outer.commit("with a submodule");
  const config = join(outer.path, ".git/modules/sub/config");
  const planted = `[filter "x"]\n\tclean = ${program}\n[core]\n\tfsmonitor = ${program}\n\thooksPath = ${program}\n`;
  await Bun.write(config, `${await Bun.file(config).text()}\n${planted}`);
  await utimes(join(outer.path, "sub/a.txt"), 1, 1);

  expect(await read("status", outer.path)).toMatchObject({ kind: "value", value: "" });
  expect(await wasStarted()).toBe(false);
});

test("gitVariables fetches nothing missing from a partial clone", async () => {
  const { program, wasStarted } = await plantProgram();
  const origin = await createGitRepository(newPath(), { "a.txt": "one\n" });
  await origin.git("config", "uploadpack.allowFilter", "true");
  const path = newPath();
  await origin.git("clone", "--quiet", "--filter=blob:none", "--no-checkout", `file://${origin.path}`, path);
  const git = async (...args: readonly string[]): Promise<string> => origin.git("-C", path, ...args);
  await git("config", "remote.origin.uploadpack", program);
  await git("config", "protocol.file.allow", "always");
  await git("config", "protocol.ext.allow", "always");
  await git("config", "status.renames", "true");
  await git("read-tree", "HEAD");
  await git("rm", "--quiet", "--cached", "a.txt");
  await Bun.write(join(path, "b.txt"), "one\ntwo\n");
  await git("add", "b.txt"); // Rename detection would need the missing blob.

  await read("status", path);

  expect(await wasStarted()).toBe(false);
});
