import { expect, test } from "bun:test";
import { appendFile, mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { createGitRepository, createTempFolder, type GitRepository, type TempFolder } from "@incipit/testkit";
import { openVariables } from "./testing/open-variables.ts";
import { grantedFileSystem, realSpawn } from "./testing/real-drivers.ts";
import type { Outcome } from "./types.ts";
import { gitVariables } from "./variables/git.ts";

/** Must not leak: branch `secret-branch`, file `hidden.txt`. */
interface World extends AsyncDisposable {
  readonly folder: TempFolder;
  readonly elsewhere: GitRepository;
  /** Branch `main`, file `own.txt`. */
  readonly here: GitRepository;
  readonly path: (name: string) => string;
  readonly tells: (...args: readonly string[]) => Promise<string>;
}

async function openWorld(): Promise<World> {
  const folder = await createTempFolder();
  const path = (name: string): string => join(folder.path, name);
  const elsewhere = await createGitRepository(path("elsewhere"), { "hidden.txt": "hidden" });
  await elsewhere.switchBranch("secret-branch");
  const here = await createGitRepository(path("here"), { "own.txt": "own" });
  const tells = (...args: readonly string[]): Promise<string> => here.git(...args).catch(String);
  return { folder, elsewhere, here, path, tells, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

interface ReadOptions {
  readonly granted?: readonly string[];
  readonly cwd?: string;
}

async function read(
  { here }: World,
  { granted = ["$cwd"], cwd = here.path }: ReadOptions = {},
): Promise<{ readonly branch: Outcome; readonly status: Outcome }> {
  const git = openVariables(gitVariables, { fs: grantedFileSystem(...granted), spawn: realSpawn(), cwd });
  const [branch, status] = await Promise.all([git("branch"), git("status")]);
  return { branch, status };
}

const denied = { kind: "absent", reason: "denied" } as const;
const nothing = { branch: denied, status: denied };

test("[attack:git-file-elsewhere] a .git file that names another repository discloses nothing", async () => {
  await using world = await openWorld();
  await replaceGit(world, `${world.elsewhere.path}/.git`);

  expect(await read(world)).toMatchObject(nothing);
  expect(await world.tells("status", "--short", "--branch")).toContain("secret-branch\n D hidden.txt");
  expect(await read(world, { granted: ["$cwd", world.elsewhere.path] })).toMatchObject({
    branch: { value: "secret-branch" },
    status: { value: " D hidden.txt\n?? own.txt" },
  });
});

const branchAsked = ["rev-parse", "--abbrev-ref", "HEAD"] as const;

interface Plant {
  readonly plant: (world: World) => Promise<unknown>;
  /** Control: what an unrestricted git tells. */
  readonly tells: readonly [args: readonly string[], text: string | RegExp];
}

async function replaceGit({ here }: World, gitDir?: string): Promise<void> {
  await rm(join(here.path, ".git"), { recursive: true });
  if (gitDir !== undefined) await here.write(".git", `gitdir: ${gitDir}\n`);
}

const plants: Readonly<Record<string, Plant>> = {
  "[attack:git-link-elsewhere] a .git link to another repository": {
    plant: async (world) => {
      await replaceGit(world);
      await symlink(join(world.elsewhere.path, ".git"), join(world.here.path, ".git"));
    },
    tells: [["status", "--short", "--branch"], "secret-branch\n D hidden.txt"],
  },
  "[attack:git-worktree-of-another] a .git file that names another repository's worktree": {
    plant: async (world) => {
      await world.elsewhere.git("worktree", "add", "--quiet", world.path("other"), "-b", "secret-worktree");
      await replaceGit(world, `${world.elsewhere.path}/.git/worktrees/other`);
    },
    tells: [branchAsked, /^secret-worktree\n$/],
  },
  "[attack:git-submodule-of-another] a .git file that names another repository's submodule": {
    plant: async (world) => {
      const inner = await createGitRepository(world.path("inner"), { "hidden.txt": "hidden" });
      const add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.path, "sub"];
      await world.elsewhere.git(...add);
      await replaceGit(world, `${world.elsewhere.path}/.git/modules/sub`);
    },
    tells: [["rev-parse", "--show-toplevel", "--abbrev-ref", "HEAD"], /^\/.*\/elsewhere\/sub\nmain\n$/],
  },
  "[attack:git-worktree-above] core.worktree that names a parent folder": {
    plant: ({ here, folder }) => here.git("config", "core.worktree", folder.path),
    tells: [["status", "--short"], "../elsewhere/"],
  },
  "[attack:git-commondir] a commondir file that names another repository": {
    plant: async ({ here, elsewhere }) => {
      await here.write(".git/HEAD", "ref: refs/heads/secret-branch\n");
      await here.write(".git/commondir", join(elsewhere.path, ".git"));
    },
    tells: [["status", "--short"], "hidden.txt"],
  },
  "[attack:git-head-link] a HEAD link to another repository": {
    plant: async ({ here }) => {
      await here.git("branch", "secret-branch");
      await rm(join(here.path, ".git/HEAD"));
      await symlink("refs/../../../elsewhere/.git/HEAD", join(here.path, ".git/HEAD"));
    },
    tells: [branchAsked, /^secret-branch\n$/],
  },
  "[attack:git-packed-refs-link] a packed-refs link to another repository": {
    plant: async ({ here, elsewhere }) => {
      await elsewhere.git("pack-refs", "--all");
      await symlink(join(elsewhere.path, ".git/packed-refs"), join(here.path, ".git/packed-refs"));
      await here.write(".git/HEAD", "ref: refs/heads/secret-branch\n");
    },
    tells: [branchAsked, /^secret-branch\n$/],
  },
};

for (const [name, { plant, tells }] of Object.entries(plants))
  test(`${name} discloses nothing`, async () => {
    await using world = await openWorld();
    await plant(world);

    const [args, text] = tells;
    expect(await read(world)).toMatchObject(nothing);
    expect(await world.tells(...args)).toMatch(text);
  });

test("[attack:git-worktree-setting] core.worktree that names another folder discloses nothing", async () => {
  for (const setting of ["core.worktree", "config.worktree"]) {
    await using world = await openWorld();
    await world.here.git("config", "extensions.worktreeConfig", "true");
    const where = setting === "core.worktree" ? "--local" : "--worktree";
    await world.here.git("config", where, "core.worktree", world.elsewhere.path);

    expect(await read(world)).toMatchObject(nothing);
    expect(await world.tells("--work-tree", world.elsewhere.path, "status", "--short")).toContain("hidden.txt");
    await world.here.git("config", where, "core.worktree", world.here.path);
    expect(await read(world)).toMatchObject({ branch: { value: "main" }, status: { value: "" } });
  }
});

test("[attack:git-head-secret-file] a HEAD link to a secret file discloses nothing", async () => {
  await using world = await openWorld();
  await Bun.write(world.path("key"), "-----BEGIN KEY-----");
  await rm(join(world.here.path, ".git/HEAD"));
  await symlink(world.path("key"), join(world.here.path, ".git/HEAD"));

  const refused = await read(world);
  await rm(join(world.here.path, ".git/HEAD"));
  await world.here.write(".git/HEAD", "ref: refs/heads/main\n");

  expect(refused).toMatchObject({
    branch: { kind: "absent", reason: "not-a-repository" },
    status: { kind: "absent", reason: "not-a-repository" },
  });
  expect(await read(world)).toMatchObject({ branch: { value: "main" } });
});

test("[attack:git-ref-link] ref links to another repository disclose no branches", async () => {
  const plants: readonly ((gitDir: string, elsewhere: string) => Promise<void>)[] = [
    async (gitDir, elsewhere) => {
      await rm(join(gitDir, "refs"), { recursive: true });
      await symlink(join(elsewhere, "refs"), join(gitDir, "refs"));
      await Bun.write(join(gitDir, "HEAD"), "ref: refs/heads/secret-branch\n");
    },
    async (gitDir, elsewhere) => {
      await symlink(join(elsewhere, "refs/heads"), join(gitDir, "refs/heads/x"));
      await Bun.write(join(gitDir, "HEAD"), "ref: refs/heads/x/secret-branch\n");
    },
    async (gitDir, elsewhere) => {
      await Bun.write(join(gitDir, "refs/heads/a"), "ref: refs/heads/b\n");
      await symlink(join(elsewhere, "HEAD"), join(gitDir, "refs/heads/b"));
      await Bun.write(join(gitDir, "HEAD"), "ref: refs/heads/a\n");
      await Bun.write(
        join(gitDir, "refs/heads/secret-branch"),
        await Bun.file(join(gitDir, "refs/heads/main")).text(),
      );
    },
  ];
  for (const plant of plants) {
    await using world = await openWorld();
    await plant(join(world.here.path, ".git"), join(world.elsewhere.path, ".git"));

    expect(await read(world)).toMatchObject(nothing);
    expect(await world.tells("rev-parse", "--abbrev-ref", "HEAD")).toContain("secret-branch");
  }
});

test("[attack:git-index-link] an index link to another repository discloses no files", async () => {
  await using world = await openWorld();
  // Rename detection would need the blobs that the index names.
  await world.here.git("config", "status.renames", "false");
  await rm(join(world.here.path, ".git/index"));
  await symlink(join(world.elsewhere.path, ".git/index"), join(world.here.path, ".git/index"));

  const { status } = await read(world);

  expect(status).toMatchObject(denied);
  expect(await world.tells("status", "--short")).toContain("hidden.txt");
});

test("[attack:git-alternates] alternates and objects of another repository disclose no files", async () => {
  const plants: readonly ((gitDir: string, elsewhere: string) => Promise<void>)[] = [
    async (gitDir, elsewhere) => {
      await Bun.write(join(gitDir, "objects/info/alternates"), `# mine\n${join(elsewhere, "objects")}\n`);
    },
    async (gitDir, elsewhere) => {
      await rm(join(gitDir, "objects"), { recursive: true });
      await symlink(join(elsewhere, "objects"), join(gitDir, "objects"));
    },
    async (gitDir, elsewhere) => {
      await Bun.write(join(gitDir, "alternates"), `${join(elsewhere, "objects")}\n`);
      await symlink("../../alternates", join(gitDir, "objects/info/alternates"));
    },
  ];
  for (const plant of plants) {
    await using world = await openWorld();
    const commit = (await world.elsewhere.git("rev-parse", "HEAD")).trim();
    await world.here.write(".git/HEAD", `${commit}\n`);
    await plant(join(world.here.path, ".git"), join(world.elsewhere.path, ".git"));

    expect(await read(world)).toMatchObject({
      branch: { value: `HEAD (detached at ${commit.slice(0, 7)})` },
      status: denied,
    });
    expect(await world.tells("status", "--short")).toContain("D  hidden.txt");
  }
});

test("[attack:git-excludes-oracle] a secret file used as ignore patterns discloses none of its lines", async () => {
  const plants: readonly ((here: GitRepository, secret: string) => Promise<unknown>)[] = [
    (here, secret) => here.git("config", "core.excludesFile", secret),
    async (here, secret) => {
      await rm(join(here.path, ".git/info"), { recursive: true, force: true });
      await mkdir(join(here.path, ".git/info"));
      await symlink(secret, join(here.path, ".git/info/exclude"));
    },
  ];
  for (const plant of plants) {
    await using world = await openWorld();
    await Bun.write(world.path("password"), "hunter2\n");
    await plant(world.here, world.path("password"));
    for (const guess of ["hunter1", "hunter2"]) await world.here.write(guess, "");

    const { status } = await read(world);

    expect(await world.tells("status", "--short")).toBe("?? hunter1\n");
    expect(status.kind === "absent" ? status.reason : status.value).not.toBe("?? hunter1");
  }
});

test("[attack:git-include-elsewhere] an included configuration from elsewhere discloses nothing", async () => {
  await using world = await openWorld();
  await Bun.write(
    world.path("work.config"),
    '[status]\n\tbranch = true\n[branch "main"]\n\tremote = .\n\tmerge = refs/heads/secret-upstream\n',
  );
  await world.here.git("config", "include.path", world.path("work.config"));

  expect(await read(world)).toMatchObject({ status: { kind: "value", value: "" } });
  expect(await world.tells("status", "--short")).toContain("secret-upstream");
});

test("[attack:git-name-of-two-lines] a folder name with a line break cannot forge git's output", async () => {
  await using world = await openWorld();
  const strange = world.path(`strange\n${world.here.path}/.git`);
  await mkdir(strange, { recursive: true });
  const repository = await createGitRepository(strange, { "a.txt": "a" });

  const told = await read(world, { cwd: strange });
  await repository.git("branch", "other");

  expect(told).toMatchObject({
    branch: { kind: "absent", reason: "failed" },
    status: { kind: "absent", reason: "failed" },
  });
  expect(await read(world)).toMatchObject({ branch: { value: "main" } });
});

test("gitVariables read a linked worktree", async () => {
  await using world = await openWorld();
  const path = world.path("linked");
  await world.here.git("worktree", "add", "--quiet", path, "-b", "linked");
  await mkdir(join(path, "deep"));
  await Bun.write(join(path, "deep/new.txt"), "");

  for (const cwd of [path, join(path, "deep")])
    expect(await read(world, { cwd })).toMatchObject({
      branch: { value: "linked" },
      status: { value: cwd === path ? "?? deep/" : "?? ./" },
    });
});

test("gitVariables read a worktree whose repository is reached through a link", async () => {
  await using world = await openWorld();
  await symlink(world.here.path, world.path("link"));
  const path = world.path("linked");
  await world.here.git("-C", world.path("link"), "worktree", "add", "--quiet", path, "-b", "linked");
  await Bun.write(join(path, ".git"), `gitdir: ${world.path("link")}/.git/worktrees/linked\n`);

  expect(await read(world, { cwd: path })).toMatchObject({ branch: { value: "linked" }, status: { value: "" } });
});

test("gitVariables read a submodule, also of a worktree", async () => {
  await using world = await openWorld();
  const add = ["-c", "protocol.file.allow=always", "submodule", "--quiet"];
  await world.here.git(...add, "add", world.elsewhere.path, "sub");
  await world.here.commit("with a submodule");
  const path = world.path("linked");
  await world.here.git("worktree", "add", "--quiet", path, "-b", "linked");
  await world.here.git("-C", path, ...add, "update", "--init");

  expect(await read(world, { cwd: join(world.here.path, "sub") })).toMatchObject({
    branch: { value: "secret-branch" },
    status: { value: "" },
  });
  expect(await read(world, { cwd: join(path, "sub") })).toMatchObject({ status: { value: "" } });
});

test("gitVariables read a parent repository, one without commits, and a detached HEAD", async () => {
  await using world = await openWorld();
  await mkdir(join(world.here.path, "deep/er"), { recursive: true });
  await world.here.git("checkout", "--quiet", "--detach");

  expect(await read(world, { cwd: join(world.here.path, "deep/er") })).toMatchObject({
    branch: { value: expect.stringMatching(/^HEAD \(detached at [0-9a-f]{7}\)$/) },
    status: { value: "" },
  });
  await world.here.git("checkout", "--quiet", "--orphan", "empty");
  expect(await read(world)).toMatchObject({
    branch: { value: "empty" },
    status: { value: "A  own.txt" },
  });
});

test("gitVariables disclose no file that a link in a rebase state leads to", async () => {
  await using world = await openWorld();
  await world.here.git("checkout", "--quiet", "--detach");
  await Bun.write(world.path("secret"), "secret-name");
  await mkdir(join(world.here.path, ".git/rebase-merge"));
  await symlink(world.path("secret"), join(world.here.path, ".git/rebase-merge/head-name"));

  expect(await read(world)).toMatchObject({
    branch: { value: expect.stringMatching(/^HEAD \(detached at [0-9a-f]{7}\)$/) },
  });
});

test("gitVariables read a separate git folder if [prompt] read allows it", async () => {
  await using world = await openWorld();
  await world.here.git("init", "--quiet", "--separate-git-dir", world.path("separate"));

  expect(await read(world)).toMatchObject(nothing);
  expect(await read(world, { granted: ["$cwd", world.path("separate")] })).toMatchObject({
    branch: { value: "main" },
    status: { value: "" },
  });
});

test("gitVariables report a bare repository as not a working folder", async () => {
  await using world = await openWorld();
  await world.here.git("clone", "--quiet", "--bare", ".", world.path("bare"));

  expect(await read(world, { cwd: world.path("bare") })).toMatchObject({
    branch: { kind: "absent", reason: "not-a-repository" },
    status: { kind: "absent", reason: "not-a-repository" },
  });
});

test("gitVariables keep the user's ignore patterns if the repository sets others", async () => {
  await using world = await openWorld();
  const home = world.path("home");
  await Bun.write(join(home, ".config/git/ignore"), "*.mine\n");
  await appendFile(join(world.here.path, ".git/config"), `[core]\n\texcludesFile = ${world.path("theirs")}\n`);
  await Bun.write(world.path("theirs"), "*.theirs\n");
  for (const name of ["a.mine", "a.theirs"]) await world.here.write(name, "");
  const readStatus = (): Promise<Outcome> => {
    const spawn = realSpawn({ env: { HOME: home } });
    return openVariables(gitVariables, { fs: grantedFileSystem("$cwd"), spawn, cwd: world.here.path })("status");
  };

  expect(await readStatus()).toMatchObject({ value: "?? a.theirs" });
  await Bun.write(join(home, ".gitconfig"), `[core]\n\texcludesFile = ~/own=ones\n`);
  await Bun.write(join(home, "own=ones"), "*.theirs\n");
  expect(await readStatus()).toMatchObject({ value: "?? a.mine" });
});
