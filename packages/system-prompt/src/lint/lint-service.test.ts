import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { KernelError, type FileSystem } from "@incipit/kernel";
import type { LintFinding } from "@incipit/schema";
import type { ModelProvider } from "@incipit/service-contract";
import { createGitRepository, createTempFolder, type TempFolder } from "@incipit/testkit";
import { realFileSystem } from "../testing/real-drivers.ts";
import { failureOf, namespace, startService, type StartedService } from "../testing/start-service.ts";

const defaults = { defaultCwd: "/nowhere", defaultModel: "acme/small" };

let folder: TempFolder;

beforeAll(async () => {
  folder = await createTempFolder();
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
});

async function told(
  { templates }: StartedService,
  request: Parameters<StartedService["templates"]["lint"]>[0],
): Promise<readonly (readonly [string, string])[]> {
  const { findings } = await templates.lint(request, defaults);
  return findings.map(({ code, severity }) => [code, severity] as const);
}

function model(facts: ModelProvider["facts"]): ModelProvider {
  return {
    id: "acme",
    models: ["small"],
    problem: null,
    ...(facts === undefined ? {} : { facts }),
    stream: () => {
      throw new Error("Nobody asks it");
    },
  };
}

test("lint() reports files and variables without a current value, with reasons", async () => {
  await Bun.write(join(folder.path, "there.md"), "text");
  const fs: Pick<FileSystem, "readFile"> = {
    async readFile(path, options) {
      if (path === "/etc/secret") throw new KernelError("CAPABILITY_DENIED", "not granted", {});
      return realFileSystem.readFile(path, options);
    },
  };
  await using started = await startService({ fs });
  const template =
    "[file:there.md] [file:none.md] [file:none.md] [if file:other.md][file:other.md][endif] [file:/etc/secret] [git:branch] [prompt:conversation_id]";

  const { findings } = await started.templates.lint({ template, cwd: folder.path }, defaults);

  expect(findings.filter(({ code }) => code !== "volatile")).toMatchObject([
    {
      code: "absent-file",
      severity: "warning",
      offset: 16,
      message: '"none.md" goes blank at this moment: it does not exist',
    },
    { code: "denied-file", severity: "warning", message: expect.stringContaining("[prompt] read") },
    {
      code: "absent-value",
      severity: "info",
      message: "[git:branch] goes blank at this moment: the working directory is in no git repository",
    },
  ]);
  expect(await told(started, { template: "[if file:/etc/secret]a[endif]" })).toEqual([["denied-file", "warning"]]);
});

test("[closed-by-default] lint() reports a secret in a value by its line, without the secret", async () => {
  const secret = "sk-ant-api03-Zm9vYmFyMTIzNDU2Nzg5MA";
  await Bun.write(join(folder.path, "notes.md"), `one\ntwo ${secret}\n`);
  await using started = await startService();

  const { findings } = await started.templates.lint(
    { template: "[if file:notes.md]a[file:notes.md][endif]", cwd: folder.path },
    defaults,
  );

  expect(findings).toMatchObject([
    { code: "secret", severity: "error", message: expect.stringContaining("line 2") },
  ]);
  expect(JSON.stringify(findings)).not.toContain(secret);
});

test("lint() reports the size of the prompt after a volatile variable if rebuilt each turn", async () => {
  const repository = await createGitRepository(join(folder.path, "repository"), { "a.md": "x" });
  await using started = await startService({ config: { promptRefresh: "turn", appendSystemPrompt: "end" } });
  const template = `${"a".repeat(1_000)}[git:branch]${"\u{1f600}".repeat(500)}`;

  const { findings } = await started.templates.lint({ template, cwd: repository.path }, defaults);

  // main, 500 times 4 bytes, a blank line and the append text.
  expect(findings).toMatchObject([
    { code: "volatile", severity: "warning", offset: 1_000, message: expect.stringContaining("2,009 bytes") },
  ]);
});

test("lint() defaults to the template in force: stored, of the profile, or configured", async () => {
  await using started = await startService({
    config: { systemPrompt: "configured [endif]", profiles: { p: { systemPrompt: "[else]" }, bare: {} } },
  });
  const of = async (request: Parameters<typeof started.templates.lint>[0]): Promise<readonly unknown[]> => {
    const { findings, source } = await started.templates.lint(request, defaults);
    return [source, ...findings.map(({ code }: LintFinding) => code)];
  };

  expect(await of({})).toEqual(["system_prompt of the configuration", "stray-endif"]);
  await started.templates.set("[if git:branch]");
  expect(await of({})).toEqual(["stored template", "unclosed-if"]);
  expect(await of({ profile: "bare" })).toEqual(["stored template", "unclosed-if"]);
  expect(await of({ profile: "p" })).toEqual(['profile "p"', "stray-else"]);
  expect(await of({ profile: "p", template: "fine [prompt:model]" })).toEqual(["the request"]);
});

test("lint() accepts variables of extensions, listed or not", async () => {
  await using started = await startService({
    variables: [
      {
        type: "weather",
        variables: [{ name: "today", description: "" }],
        resolve: async (name) => (name === "nonsense" ? { absent: "not-found" } : { value: "rain" }),
      },
    ],
  });

  expect(await told(started, { template: "[weather:today] [weather:tomorrow]" })).toEqual([]);
  expect(await told(started, { template: "[weather:nonsense] [wether:today]" })).toEqual([
    ["unknown-variable", "warning"],
    ["unknown-type", "error"],
  ]);
});

test("lint() compares the prompt with the context window of the model, or the profile's", async () => {
  const facts: ModelProvider["facts"] = async (name) => ({
    contextWindow: name === "small" ? 1_000 : 100_000,
    maxOutputTokens: null,
    prices: null,
    inputs: ["text"],
    source: "test",
  });
  await using started = await startService({
    models: [model(facts)],
    config: { profiles: { large: { model: "acme/large" } } },
  });
  const template = "x".repeat(1_200);

  expect(await told(started, { template })).toEqual([["too-long", "warning"]]);
  expect(await told(started, { template, model: "acme/large" })).toEqual([]);
  expect(await told(started, { template, profile: "large" })).toEqual([]);
  expect(await told(started, { template, model: "nobody/x" })).toEqual([]);
});

test("lint() succeeds if a provider fails or does not answer", async () => {
  const silent = Promise.withResolvers<undefined>();
  for (const facts of [() => Promise.reject(new Error("broken")), () => silent.promise] as const) {
    const asked = Promise.withResolvers<void>();
    await using started = await startService({
      models: [
        model(() => {
          asked.resolve();
          return facts();
        }),
      ],
    });
    const answer = started.templates.lint({ template: "[endif]" }, defaults);
    await asked.promise;

    expect((await started.clock.advanceUntil(answer)).findings).toMatchObject([{ code: "stray-endif" }]);
  }
});

test("lint() stops when its signal aborts, also while it waits for a provider", async () => {
  const asked = Promise.withResolvers<void>();
  await using started = await startService({
    models: [
      model(() => {
        asked.resolve();
        return new Promise(() => {});
      }),
    ],
  });
  const stop = new AbortController();
  const answer = started.templates.lint({ template: "x" }, { ...defaults, signal: stop.signal });
  await asked.promise;

  stop.abort(new Error("They have left"));

  expect(await answer.catch((error: unknown) => error)).toEqual(new Error("They have left"));
});

test("lint() rejects a template over 1 MiB, and stores nothing", async () => {
  await using started = await startService();
  const failure = await failureOf(started.templates.lint({ template: "x".repeat(1_048_577) }, defaults));

  expect(failure).toMatchObject({ code: "TEMPLATE_TOO_LARGE" });
  await started.templates.lint({ template: "x" }, defaults);
  expect(await started.storage.list(namespace, {})).toEqual([]);
});

test("lint() and preview() reject an unknown profile and a relative folder", async () => {
  await using started = await startService({ config: { profiles: { p: {} } } });
  for (const [request, code] of [
    [{ profile: "constructor" }, "PROFILE_UNKNOWN"],
    [{ cwd: "relative" }, "CWD_INVALID"],
  ] as const)
    for (const call of [started.templates.lint(request, defaults), started.service.preview(request, defaults)])
      expect(await call.catch((error: unknown) => error)).toMatchObject({ code });
});
