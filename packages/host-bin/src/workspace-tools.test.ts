import { toolsPoint, type Tool } from "@incipit/service-contract";
import { answerText, createGitRepository, createTempFolder, startExtension } from "@incipit/testkit";
import workspaceTools from "@incipit/workspace-tools";
import { expect, test } from "bun:test";
import { chmod, link, mkdir, readdir, rename, rm, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { createFileSystem, createSpawn, systemClock } from "@incipit/host/drivers";

interface RunOptions {
  readonly signal?: AbortSignal;
  readonly allowedPatterns?: readonly string[];
}

type Run = (name: string, input: unknown, options?: RunOptions) => Promise<string>;

async function startTools(scope: AsyncDisposableStack, cwd: string): Promise<Run> {
  const env = { PATH: process.env["PATH"], HOME: "/nonexistent", ACME_SECRET: "secret-value" };
  const started = await startExtension(workspaceTools, {
    drivers: {
      fs: (extension, grant) => createFileSystem(extension, grant, { clock: systemClock }),
      spawn: (extension, grant) => createSpawn(extension, grant, { clock: systemClock, env }),
    },
  });
  const tools = new Map<string, Tool>(
    scope
      .use(started)
      .contributions(toolsPoint)
      .map((tool) => [tool.name, tool]),
  );
  return async (name, input, { signal = new AbortController().signal, ...allowed } = {}) => {
    const call = tools.get(name)?.execute(input, { conversationId: "conversation-1", cwd, signal, ...allowed });
    return Promise.resolve(call ?? `There is no tool "${name}"`)
      .then(answerText)
      .catch((error: Error) => error.message);
  };
}

test("workspace tools list, search, read, edit and run in a real repository", async () => {
  await using scope = new AsyncDisposableStack();
  const folder = scope.use(await createTempFolder());
  const { path: cwd } = await createGitRepository(join(folder.path, "repository"));
  await Bun.write(join(cwd, ".gitignore"), "build/\n");
  await Bun.write(join(cwd, "build/out.txt"), "greeting");
  await Bun.write(join(cwd, "src/greet.sh"), 'greeting="Hello"\necho "$greeting, $1"\n');
  await chmod(join(cwd, "src/greet.sh"), 0o755);
  const run = await startTools(scope, cwd);

  expect(await run("list_folder", { path: "src" })).toBe("greet.sh (38 bytes)");
  expect(await run("search", { pattern: "greeting" })).toBe(
    'src/greet.sh:1: greeting="Hello"\nsrc/greet.sh:2: echo "$greeting, $1"',
  );
  expect(await run("read_file", { path: join(cwd, "src/greet.sh"), limit: 1 })).toBe(
    'greeting="Hello"\n[cut: lines 1 to 1 of 2; go on with offset 2]',
  );
  expect(await run("edit_file", { path: "src/greet.sh", oldText: '"Hello"', newText: '"Grüß Gott"' })).toBe(
    'Edited "src/greet.sh"',
  );
  expect(await run("shell", { command: "src/greet.sh Ada; git status --short >&2; exit 3" })).toBe(
    "Grüß Gott, Ada\n?? .gitignore\n?? src/\n[exit code 3]",
  );
  expect((await stat(join(cwd, "src/greet.sh"))).mode & 0o777).toBe(0o755);
  expect(await readdir(join(cwd, "src"))).toEqual(["greet.sh"]);
});

test("[attack:grant-turned-link] a call allowed by a pattern does not follow a link changed afterwards", async () => {
  await using scope = new AsyncDisposableStack();
  const folder = scope.use(await createTempFolder());
  const cwd = join(folder.path, "work");
  await Bun.write(join(cwd, "docs/guide.md"), "good\n");
  await Bun.write(join(cwd, "src/guide.md"), "good\n");
  await Bun.write(join(cwd, "docs/real/guide.md"), "good\n");
  const link = join(cwd, "docs/link");
  await symlink("../src", link);
  const run = await startTools(scope, cwd);
  const calls = async (path: string): Promise<readonly string[]> => [
    await run("read_file", { path }, { allowedPatterns: ["docs/**"] }),
    await run("edit_file", { path, oldText: "good", newText: "edited" }, { allowedPatterns: ["docs/**"] }),
    await run("write_file", { path, content: "new\n", overwrite: true }, { allowedPatterns: ["docs/**"] }),
  ];

  for (const answer of await calls("docs/link/guide.md")) expect(answer).toContain("the user is asked");
  expect(await Bun.file(join(cwd, "src/guide.md")).text()).toBe("good\n");
  await rm(link);
  await symlink("real", link);
  expect(await calls("docs/link/guide.md")).toEqual([
    "good\n",
    'Edited "docs/link/guide.md"',
    'Wrote 4 bytes to "docs/link/guide.md"',
  ]);
});

test("workspace tools explain outside, binary, missing and huge files, and change nothing", async () => {
  await using scope = new AsyncDisposableStack();
  const folder = scope.use(await createTempFolder());
  const cwd = join(folder.path, "work");
  await mkdir(cwd);
  await Bun.write(join(folder.path, "secret"), "needle");
  await symlink(folder.path, join(cwd, "up"));
  await symlink("../secret", join(cwd, "out"));
  await Bun.spawn(["mkfifo", join(cwd, "pipe")]).exited;
  await Bun.write(join(cwd, "binary"), new Uint8Array([0, 1]));
  await Bun.write(join(cwd, "huge"), new Uint8Array(16_777_217));
  const run = await startTools(scope, cwd);
  const edit = { oldText: "needle", newText: "other" };

  for (const path of ["out", "up/secret", "../secret", "/etc/passwd"]) {
    expect(await run("read_file", { path })).toContain("outside of the working folder");
    expect(await run("edit_file", { path, ...edit })).toContain("outside of the working folder");
    expect(await run("write_file", { path, content: "x", overwrite: true })).toContain("outside of the working");
    expect(await run("search", { pattern: "needle", path })).toContain("outside of the working folder");
  }
  for (const path of ["up", "..", "/"])
    expect(await run("list_folder", { path })).toContain("outside of the working");
  expect(await run("search", { pattern: "needle" })).toMatch(/^\[no match\]/);
  expect(await run("read_file", { path: "pipe" })).toContain("not a regular file");
  expect(await run("write_file", { path: "pipe", content: "x", overwrite: true })).toContain("not a regular file");
  expect(await run("edit_file", { path: "binary", ...edit })).toContain("it is a binary file");
  expect(await run("read_file", { path: "huge" })).toContain("too large");
  expect(await Bun.file(join(folder.path, "secret")).text()).toBe("needle");
});

test("edit_file keeps every one of many concurrent edits", async () => {
  await using scope = new AsyncDisposableStack();
  const folder = scope.use(await createTempFolder());
  const { path: cwd } = folder;
  const numbers = Array.from({ length: 8 }, (_, index) => index);
  await Bun.write(join(cwd, "a"), numbers.map((number) => `<${number}>`).join("\r\n"));
  const run = await startTools(scope, cwd);

  const results = await Promise.all(
    numbers.map((number) => run("edit_file", { path: "a", oldText: `<${number}>`, newText: `[${number}]` })),
  );
  const once = await Promise.all(
    numbers.map((number) => run("edit_file", { path: "a", oldText: "[0]", newText: `(${number})` })),
  );

  expect(new Set(results)).toEqual(new Set(['Edited "a"']));
  expect(once.filter((result) => result === 'Edited "a"')).toHaveLength(1);
  expect(await Bun.file(join(cwd, "a")).text()).toMatch(/^\(\d\)(\r\n\[\d\]){7}$/);
});

test("shell is truncated, killed and stopped with its output, without ungranted variables", async () => {
  await using scope = new AsyncDisposableStack();
  const folder = scope.use(await createTempFolder());
  const run = await startTools(scope, folder.path);

  const long = await run("shell", { command: "printf %300000s x; exit 7" });
  expect(long).toBe(`${" ".repeat(299_999)}x\n[exit code 7]`);
  const longer = await run("shell", { command: "echo begin; printf %20000000s x; echo end" });
  expect(longer).toStartWith("begin\n  ");
  expect(longer).toEndWith(" xend\n[exit code 0]");
  expect(longer).toContain(`\n[left out here, and not kept: ${20_000_010 - 16_777_216 - 262_144} bytes]\n`);
  expect(Buffer.byteLength(longer)).toBeLessThan(16_777_216 + 262_144 + 100);
  expect(await run("shell", { command: "echo begun; sleep 1000", timeoutSeconds: 6 })).toBe(
    "begun\n[killed after 6 s]",
  );
  expect(await run("shell", { command: "echo important; kill -9 $$" })).toBe(
    "important\n[failed: ended by SIGKILL]",
  );
  expect(await run("shell", { command: "env | grep -c ACME; cat" })).toBe("0\n[exit code 0]");
  expect(await run("shell", { command: "if" })).toMatch(/[Ss]yntax error.*\n\[exit code 2\]$/);
  const stop = new AbortController();
  const stopped = run("shell", { command: "echo a; echo b; touch begun; sleep 1000" }, { signal: stop.signal });
  while (!(await Bun.file(join(folder.path, "begun")).exists())) await Bun.sleep(5);
  stop.abort();
  expect(await stopped).toBe("a\nb\n[stopped]");
});

test("[attack:process-tool-leads-to-acting-file] a write needs approval for its real path, and fails on another", async () => {
  await using scope = new AsyncDisposableStack();
  const { path } = scope.use(await createTempFolder());
  const cwd = join(path, "work");
  await mkdir(join(cwd, ".git/hooks"), { recursive: true });
  await Bun.write(join(cwd, ".git/config"), "old");
  await Bun.write(join(cwd, ".env"), "old");
  await symlink(".git", join(cwd, "link"));
  await symlink(".git/hooks/new", join(cwd, "dangling"));
  await symlink(".env", join(cwd, "settings"));
  const started = await startExtension(workspaceTools, {
    drivers: { fs: (extension, grant) => createFileSystem(extension, grant, { clock: systemClock }) },
  });
  const tools = scope.use(started).contributions(toolsPoint);
  const tool = tools.find(({ name }) => name === "write_file");
  const context = { conversationId: "c", cwd, signal: new AbortController().signal };
  const input = (file: string): object => ({ path: file, content: "new", overwrite: true });
  const write = async (file: string, allowedAlthough?: string): Promise<string> =>
    Promise.resolve(
      tool?.execute(input(file), { ...context, ...(allowedAlthough === undefined ? {} : { allowedAlthough }) }) ??
        Promise.reject(),
    )
      .then(answerText)
      .catch(String);

  for (const file of [
    "./a/../.git/config",
    "link/config",
    "dangling",
    "settings",
    join(cwd, ".git/x"),
    ".git/hooks/../../.env",
  ]) {
    expect([file, await tool?.mustAsk?.(input(file), context)]).toEqual([
      file,
      expect.stringContaining("It writes "),
    ]);
    expect([file, await write(file)]).toEqual([file, expect.stringContaining("unasked")]);
  }
  const why = await tool?.mustAsk?.(input("settings"), context);
  await rename(join(cwd, "link"), join(cwd, "away"));
  await rm(join(cwd, "settings"));
  await symlink(".git/config", join(cwd, "settings"));
  expect(await write("settings", why)).toContain("unasked");
  expect(await Bun.file(join(cwd, ".git/config")).text()).toBe("old");
  expect(await write(".env", why)).toContain("Wrote");
  expect(await tool?.mustAsk?.(input("plain.txt"), context)).toBe(undefined);
  expect(await write("plain.txt")).toContain("Wrote");
});

test("[attack:process-tool-hard-link] a write to a hard link of an active file changes only that name", async () => {
  await using scope = new AsyncDisposableStack();
  const { path: cwd } = scope.use(await createTempFolder());
  await Bun.write(join(cwd, ".env"), "KEY=1");
  await link(join(cwd, ".env"), join(cwd, "notes.txt"));
  const run = await startTools(scope, cwd);

  expect(await run("edit_file", { path: "notes.txt", oldText: "KEY=1", newText: "mine" })).toContain("Edited");

  expect(await Bun.file(join(cwd, ".env")).text()).toBe("KEY=1");
  expect(await Bun.file(join(cwd, "notes.txt")).text()).toBe("mine");
});

test("write_file and edit_file write to the approved path, not to a link changed afterwards", async () => {
  await using scope = new AsyncDisposableStack();
  const { path: cwd } = scope.use(await createTempFolder());
  await Bun.write(join(cwd, "plain.txt"), "old");
  await Bun.write(join(cwd, ".env"), "old");
  const started = await startExtension(workspaceTools, {
    drivers: {
      fs: (extension, grant) => {
        const fs = createFileSystem(extension, grant, { clock: systemClock });
        return {
          ...fs,
          async writeFile(path, bytes, options) {
            await rm(join(cwd, "link"));
            await symlink(".env", join(cwd, "link"));
            return fs.writeFile(path, bytes, options);
          },
        };
      },
    },
  });
  const tools = scope.use(started).contributions(toolsPoint);
  const run = async (name: string, input: object): Promise<string> => {
    await rm(join(cwd, "link"), { force: true });
    await symlink("plain.txt", join(cwd, "link"));
    const call = { conversationId: "c", cwd, signal: new AbortController().signal };
    const tool = tools.find((entry) => entry.name === name);
    return Promise.resolve(tool?.execute({ path: "link", ...input }, call) ?? "")
      .then(answerText)
      .catch(String);
  };

  expect(await run("write_file", { content: "new", overwrite: true })).toContain('Cannot write "link"');
  expect(await run("edit_file", { oldText: "old", newText: "new" })).toContain("Cannot ");
  expect(await Bun.file(join(cwd, ".env")).text()).toBe("old");
});
