import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { KernelError, type FileRead, type FileSystem, type Spawn } from "@incipit/kernel";
import type { PromptVariables } from "@incipit/service-contract";
import { createGitRepository, createTempFolder, FakeClock, type TempFolder } from "@incipit/testkit";
import { compileTemplate } from "./parser.ts";
import { resolveVariables } from "./resolver.ts";
import { realFileSystem, realSpawn } from "./testing/real-drivers.ts";
import type { ResolverLimits } from "./context/limits.ts";
import type { ResolvedVariable, ResolverContext, VariableSources } from "./types.ts";

let folder: TempFolder;

beforeAll(async () => {
  folder = await createTempFolder();
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
});

const limits: ResolverLimits = {
  maxFileBytes: 1_000,
  maxTotalFileBytes: 4_000,
  fileTimeoutMs: 1_000,
  gitTimeoutMs: 5_000,
  variableTimeoutMs: 1_000,
  maxVariableBytes: 1_000,
  maxTotalVariableBytes: 1_500,
  maxContributedVariables: 10,
};
const unusedSpawn: Pick<Spawn, "run"> = { run: () => Promise.reject(new Error("not to be called")) };

function fileSystem(
  files: Readonly<Record<string, string | Uint8Array>>,
): Pick<FileSystem, "readFile"> & { readonly asked: string[] } {
  const asked: string[] = [];
  const contents = new Map(Object.entries(files));
  return {
    asked,
    async readFile(path, { maxBytes }): Promise<FileRead> {
      asked.push(path);
      await Promise.resolve();
      const content = contents.get(path);
      if (content === undefined) return { kind: "absent", reason: "not-found" };
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      return bytes.byteLength > maxBytes ? { kind: "absent", reason: "too-large" } : { kind: "read", bytes, path };
    },
  };
}

interface ResolveInput extends Partial<VariableSources>, Partial<ResolverContext> {
  readonly signal?: AbortSignal;
}

function resolve(template: string, input: ResolveInput = {}): Promise<ReadonlyMap<string, ResolvedVariable>> {
  const { cwd = folder.path, model, conversationId, signal = new AbortController().signal, ...sources } = input;
  return resolveVariables([compileTemplate(template)], {
    context: { cwd, model, conversationId, hasTools: true },
    sources: {
      fs: fileSystem({}),
      spawn: unusedSpawn,
      clock: new FakeClock(),
      contributed: [],
      describeFailure: async (_extension, { error }) => String(error),
      folderTrust: undefined,
      untrusted: "allow",
      limits,
      ...sources,
    },
    signal,
  });
}

function contribution(
  resolve: PromptVariables["resolve"],
  type = "weather",
): VariableSources["contributed"][number] {
  return { extension: "acme.weather", trust: "standard", value: { type, variables: [], resolve } };
}

test("resolveVariables uses one moment for time and date, in UTC", async () => {
  const clock = new FakeClock(Date.UTC(2026, 11, 31, 23, 59, 59, 999));

  const resolved = await resolve("[system:time][system:date][system:os][system:hostname]", { clock });

  expect(resolved.get("system:time")).toMatchObject({ kind: "value", value: "2026-12-31T23:59:59.999Z" });
  expect(resolved.get("system:date")).toMatchObject({ kind: "value", value: "2026-12-31" });
  expect(resolved.get("system:os")).toMatchObject({ kind: "value", value: process.platform });
  expect(resolved.get("system:hostname")?.kind).toBe("value");
});

test("resolveVariables returns values of the conversation, and not-set for missing ones", async () => {
  const resolved = await resolve("[prompt:cwd][prompt:model][prompt:conversation_id]", { cwd: "/x", model: "a/b" });

  expect(resolved.get("prompt:cwd")).toMatchObject({ kind: "value", value: "/x" });
  expect(resolved.get("prompt:model")).toMatchObject({ kind: "value", value: "a/b" });
  expect(resolved.get("prompt:conversation_id")).toMatchObject({ kind: "absent", reason: "not-set" });
});

test("resolveVariables reports why a variable does not exist", async () => {
  const resolved = await resolve("[system:x][prompt:x][git:x][no:x][12:30]");

  expect([...resolved.values()].map((variable) => variable.kind === "absent" && variable.reason)).toEqual([
    "not-found",
    "not-found",
    "not-found",
    "unknown-type",
    "unknown-type",
  ]);
});

test("resolveVariables reads only files reached by the chosen branches, each once", async () => {
  const fs = fileSystem({ yes: "1", inner: "2" });
  const template = `[if file:yes][file:yes][file:yes][if file:inner][file:a][else][file:b][endif][else][if file:c][file:d][endif][endif]
    [if !file:yes][file:e][endif][if file:yes][file:inner][endif]\\[file:f]`;

  const resolved = await resolve(template, { fs });

  expect(fs.asked.toSorted()).toEqual(["a", "inner", "yes"]);
  expect([...resolved.keys()].toSorted()).toEqual(["file:a", "file:inner", "file:yes"]);
});

test("resolveVariables resolves conditions before inserted variables", async () => {
  const fs = fileSystem({ condition: "1" });

  await resolve("[file:insert][if file:condition]x[endif]", { fs });

  expect(fs.asked).toEqual(["condition", "insert"]);
});

test("resolveVariables resolves independent variables concurrently", async () => {
  const started: string[] = [];
  const both = Promise.withResolvers<void>();
  const wait = async (name: string): Promise<{ readonly value: string }> => {
    started.push(name);
    if (started.length === 3) both.resolve();
    await both.promise;
    return { value: name };
  };

  const resolved = await resolve("[if weather:a]x[endif][if weather:b][endif][weather:c]", {
    contributed: [contribution(wait)],
  });

  expect(resolved.size).toBe(3);
});

test("resolveVariables handles 100,000 nested conditions", async () => {
  const template = `${"[if prompt:cwd]".repeat(100_000)}[prompt:cwd]${"[endif]".repeat(100_000)}`;

  expect((await resolve(template)).size).toBe(1);
});

test("resolveVariables strips only the byte order mark and CR before LF", async () => {
  const fs = fileSystem({ text: "\ufeffa\r\nb\rc\n\n \ufeff" });

  const resolved = await resolve("[file:text]", { fs });

  expect(resolved.get("file:text")).toMatchObject({ kind: "value", value: "a\nb\rc\n\n \ufeff" });
});

test("resolveVariables decodes UTF-16 and Windows-1252 files, and reports the encoding", async () => {
  const fs = fileSystem({
    latin: new Uint8Array([0x63, 0x61, 0x66, 0xe9]),
    wide: Buffer.from("\ufeffcafé\r\n", "utf16le"),
    big: Buffer.from("\ufeffcafé", "utf16le").swap16(),
  });

  const resolved = await resolve("[file:latin][file:wide][file:big]", { fs });

  expect(resolved.get("file:latin")).toMatchObject({ value: "café", detail: "read as Windows-1252" });
  expect(resolved.get("file:wide")).toMatchObject({ value: "café\n", detail: "read as UTF-16 (little endian)" });
  expect(resolved.get("file:big")).toMatchObject({ value: "café", detail: "read as UTF-16 (big endian)" });
});

test("resolveVariables reports not-text for an unknown encoding or a NUL", async () => {
  const fs = fileSystem({
    japanese: new Uint8Array([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea]), // Shift JIS.
    binary: new Uint8Array([0x61, 0, 0x62]),
  });

  const resolved = await resolve("[file:japanese][file:binary]", { fs });

  expect(resolved.get("file:japanese")).toMatchObject({ kind: "absent", reason: "not-text" });
  expect(resolved.get("file:binary")).toMatchObject({ kind: "absent", reason: "not-text" });
});

test("resolveVariables applies the total file limit in template order", async () => {
  const fs = fileSystem({
    a: "x".repeat(900),
    b: "x".repeat(901),
    c: "x".repeat(200),
    d: "x".repeat(2_000),
    e: "x".repeat(100),
  });

  const resolved = await resolve("[file:a][file:b][file:c][file:d][file:e]", {
    fs,
    limits: { ...limits, maxFileBytes: 1_000, maxTotalFileBytes: 1_900 },
  });

  expect([...resolved].map(([name, { kind }]) => `${name} ${kind}`)).toEqual([
    "file:a value",
    "file:b value",
    "file:c absent",
    "file:d absent",
    "file:e absent",
  ]);
  expect(resolved.get("file:c")).toMatchObject({ reason: "too-large" });
});

test("resolveVariables reads real files, relative to cwd and absolute", async () => {
  await Bun.write(join(folder.path, "my notes.md"), "notes");

  const resolved = await resolve(`[file:my notes.md][file:${folder.path}/my notes.md][file:.][file:none]`, {
    fs: realFileSystem,
  });

  expect(
    [...resolved.values()].map((variable) => (variable.kind === "value" ? variable.value : variable.reason)),
  ).toEqual(["notes", "notes", "not-a-file", "not-found"]);
});

test("resolveVariables runs git in cwd", async () => {
  const repository = await createGitRepository(join(folder.path, "repository"));
  await repository.write("new.txt", "");

  const resolved = await resolve("[git:branch][if git:status][git:status][endif]", {
    cwd: repository.path,
    spawn: realSpawn(),
  });

  expect(resolved.get("git:branch")).toMatchObject({ value: "main", source: "git rev-parse --abbrev-ref HEAD" });
  expect(resolved.get("git:status")).toMatchObject({ value: "?? new.txt", source: "git status --short" });
});

test("resolveVariables reports denied for missing grants", async () => {
  const deny = (): Promise<never> => Promise.reject(new KernelError("CAPABILITY_DENIED", "Cannot"));

  const resolved = await resolve("[file:a][git:branch]", { fs: { readFile: deny }, spawn: { run: deny } });

  expect(resolved.get("file:a")).toMatchObject({ kind: "absent", reason: "denied" });
  expect(resolved.get("git:branch")).toMatchObject({ kind: "absent", reason: "denied" });
});

test("resolveVariables passes the context to extensions and uses their values", async () => {
  const contributed = [
    contribution(async (name, { cwd, model, conversationId }) =>
      name === "none" ? { absent: "not-set" } : { value: [name, cwd, model, conversationId].join() },
    ),
  ];

  const resolved = await resolve("[weather:a b][weather:none]", {
    contributed,
    cwd: "/x",
    model: "m/n",
    conversationId: "c",
  });

  expect(resolved.get("weather:a b")).toMatchObject({
    kind: "value",
    value: "a b,/x,m/n,c",
    source: "acme.weather",
  });
  expect(resolved.get("weather:none")).toMatchObject({ kind: "absent", reason: "not-set" });
});

test("resolveVariables reports failed for an extension that throws or returns an invalid answer", async () => {
  const nonsense: PromptVariables = JSON.parse('{"type": "nonsense", "variables": []}');
  const contributed = [
    contribution(() => {
      throw new Error("broken");
    }),
    {
      extension: "acme.nonsense",
      trust: "standard" as const,
      value: { ...nonsense, resolve: async () => JSON.parse('{"value": 3}') },
    },
  ];

  const resolved = await resolve("[weather:a][nonsense:a]", { contributed });

  expect(resolved.get("weather:a")).toMatchObject({ kind: "absent", reason: "failed" });
  expect(resolved.get("nonsense:a")).toMatchObject({ kind: "absent", reason: "failed" });
});

test("resolveVariables aborts an extension at its deadline", async () => {
  const clock = new FakeClock();
  let given: AbortSignal | undefined;
  const never = contribution((_name, { signal }) => {
    given = signal;
    return new Promise(() => {});
  });

  const resolving = resolve("[weather:a]", { contributed: [never], clock });
  await clock.advance(limits.variableTimeoutMs);

  expect((await resolving).get("weather:a")).toMatchObject({ kind: "absent", reason: "timeout", tookMs: 1_000 });
  expect(given?.aborted).toBe(true);
});

test("resolveVariables rejects with its signal's reason, also while an extension is pending", async () => {
  const controller = new AbortController();
  const reason = new Error("stop");

  const resolving = resolve("[weather:a]", {
    contributed: [contribution(() => new Promise(() => {}))],
    signal: controller.signal,
  });
  controller.abort(reason);

  expect(await resolving.catch((error: unknown) => error)).toBe(reason);
});
