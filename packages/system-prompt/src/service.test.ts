import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { FileSystem, StorageDriver } from "@incipit/kernel";
import { DEFAULT_TEMPLATE, explainSchema, type Explain } from "@incipit/schema";
import type { PromptSegment, PromptVariables } from "@incipit/service-contract";
import { createGitRepository, createMemoryStorage, FakeClock } from "@incipit/testkit";
import fc from "fast-check";
import { failureOf, namespace, putStored, sha256, odd, segment, startService } from "./testing/start-service.ts";
import { tempPaths } from "./testing/temp-paths.ts";

const preview = { defaultCwd: "/nowhere", defaultModel: "offline/echo" };

const newPath = tempPaths();

async function newFolder(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const path = newPath();
  await Bun.write(join(path, ".keep"), "");
  for (const [name, content] of Object.entries(files)) await Bun.write(join(path, name), content);
  return path;
}

function expectCovered({ ranges }: Explain, text: string): void {
  let at = 0;
  for (const { start, end } of ranges) {
    expect(start).toBe(at);
    expect(end).toBeGreaterThan(start);
    at = end;
  }
  expect(at).toBe(text.length);
}

describe("construct()", () => {
  test("construct() renders the default template if none is set", async () => {
    await using started = await startService();
    const cwd = await newFolder({ "AGENTS.md": "Be kind." });

    const text = await started.service.construct("c1", cwd);

    expect(text).toBe(
      `You are a helpful coding assistant.\n\nBe kind.\n\nThe current working directory is ${cwd}.`,
    );
  });

  test("construct() resolves each variable once, also those that choose between the default templates", async () => {
    const others = ["/AGENTS.md"];
    const resolved: string[] = [];
    const rules: PromptVariables = {
      type: "rules",
      variables: [{ name: "agents", description: "" }],
      async resolve(name) {
        resolved.push(`rules:${name}`);
        const files = ["/repo/AGENTS.md", ...others].map((path) => ({
          path,
          sizeBytes: 4,
          trust: "trusted" as const,
        }));
        return { value: "both", files };
      },
    };
    const fs: Pick<FileSystem, "readFile"> = {
      async readFile(path) {
        resolved.push(`file:${path}`);
        return { kind: "read", bytes: new TextEncoder().encode("own"), path: `/repo/${path}` };
      },
    };
    await using started = await startService({ fs, variables: [rules] });

    const ofRepository = await started.service.construct("c1", "/repo", {});
    others.pop();
    const ofFolder = await started.service.construct("c2", "/repo", {});

    expect([ofRepository.includes("both"), ofFolder.includes("own")]).toEqual([true, true]);
    const once = ["file:AGENTS.md", "rules:agents"];
    expect(resolved.toSorted()).toEqual([...once, ...once].toSorted());
  });

  test("construct() stores the prompt byte for byte until called again", async () => {
    const storage = createMemoryStorage();
    const clock = new FakeClock();
    const repository = await createGitRepository(await newFolder(), { "AGENTS.md": "one" });
    const template = "[system:time] [git:branch] [if file:AGENTS.md][file:AGENTS.md][else]none[endif] [git:status]";
    let first: string;
    {
      await using started = await startService({ storage, clock });
      await started.service.setTemplate(template);
      first = await started.service.construct("c1", repository.path, { model: "a/b" });
    }
    await clock.advance(1_000);
    await repository.switchBranch("other");
    await repository.write("AGENTS.md", "two");

    await using started = await startService({ storage, clock });
    await started.service.setTemplate("changed");
    await started.service.deleteTemplate();
    const kept = await started.service.get("c1");
    await started.service.setTemplate(template);
    const second = await started.service.construct("c1", repository.path, { model: "a/b", reason: "compaction" });

    expect(first).toBe("2026-01-01T00:00:00.000Z main one ");
    expect(kept).toBe(first);
    expect(second).toBe("2026-01-01T00:00:01.000Z other two  M AGENTS.md");
    expect(await started.service.get("c1")).toBe(second);
    expect(await started.service.describe("c1")).toEqual({
      systemPrompt: second,
      sha256: sha256(second),
      reason: "compaction",
      constructedAt: "2026-01-01T00:00:01.000Z",
      templateVersion: 4,
      by: null,
      note: null,
    });
  });

  test("construct() deduplicates concurrent calls for a conversation", async () => {
    let asked = 0;
    await using started = await startService({ segments: [segment("s", () => `asked ${++asked} times`)] });

    const [a, b, other] = await Promise.all([
      started.service.construct("c1", "/"),
      started.service.construct("c1", "/elsewhere"),
      started.service.construct("c2", "/"),
    ]);

    expect(a).toBe(b);
    expect(other).not.toBe(a);
    expect(asked).toBe(2);
  });

  test("construct() continues for the remaining caller when one leaves", async () => {
    const answer = Promise.withResolvers<string>();
    await using started = await startService({ segments: [segment("s", () => answer.promise)] });
    const controller = new AbortController();
    const reason = new Error("left");

    const leaving = failureOf(started.service.construct("c1", "/", { signal: controller.signal }));
    const staying = started.service.construct("c1", "/", { signal: new AbortController().signal });
    controller.abort(reason);
    answer.resolve("late text");

    expect(await leaving).toBe(reason);
    expect(await staying).toEndWith("late text");
  });

  test("construct() stores nothing when its only caller leaves, and starts again for the next", async () => {
    const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    let asked = 0;
    await using started = await startService({ segments: [segment("s", () => answers[asked++]?.promise ?? null)] });
    const controller = new AbortController();

    const leaving = failureOf(started.service.construct("c1", "/", { signal: controller.signal }));
    await started.service.getTemplate();
    controller.abort(new Error("left"));
    await leaving;
    const kept = await started.service.get("c1");
    answers[1]?.resolve("second");

    expect(kept).toBeNull();
    expect(await started.service.construct("c1", "/")).toEndWith("second");
  });

  test("construct() never throws because of a template or a variable", async () => {
    await using started = await startService({ fs: { readFile: () => Promise.reject(new Error("broken")) } });
    const templates = fc.array(
      fc.constantFrom("[", "]", "\\", "[if ", "[else]", "[endif]", "[file:x]", "[12:30]", "\ud800", "x"),
    );

    await fc.assert(
      fc.asyncProperty(templates, async (parts) => {
        await started.service.setTemplate(parts.join(""));
        const text = await started.service.construct("c1", "/");
        expect(text.isWellFormed()).toBe(true);
        expect(await started.service.get("c1")).toBe(text);
      }),
      { numRuns: 50 },
    );
  });

  test("construct() stores exactly the returned text, for any value", async () => {
    await using started = await startService({
      config: { systemPrompt: "<[odd:value]>" },
      variables: odd(async () => ({ value: "$& [a:b] \\[ \ud800 \0 \u{1f600}" })),
    });

    const text = await started.service.construct("c1", "/");

    expect(text).toBe("<$& [a:b] \\[ \ufffd \0 \u{1f600}>");
    expect(await started.service.get("c1")).toBe(text);
  });

  test("construct() stores identical texts once", async () => {
    await using started = await startService({ config: { systemPrompt: "the same" } });

    await started.service.construct("c1", "/");
    await started.service.construct("c2", "/");
    const texts = await started.storage.list(namespace, { prefix: `text:${sha256("the same")}` });

    expect(texts).toHaveLength(1);
  });

  test("construct() rejects and changes nothing if it cannot be stored", async () => {
    const memory = createMemoryStorage();
    let isFull = false;
    const storage: StorageDriver = {
      ...memory,
      atomic: (checks, writes) => (isFull ? Promise.reject(new Error("disk full")) : memory.atomic(checks, writes)),
    };
    await using started = await startService({ storage, config: { systemPrompt: "[system:time]" } });
    const first = await started.service.construct("c1", "/");

    isFull = true;
    await started.clock.advance(1);
    const failure = await failureOf(started.service.construct("c1", "/"));

    expect(failure).toMatchObject({ code: "STORAGE_FAILED" });
    expect(await started.service.get("c1")).toBe(first);
  });

  test("construct() logs absent variables on one line", async () => {
    await using started = await startService({ config: { systemPrompt: "[file:none] [file:none] [no:type]" } });

    await started.service.construct("c1", "/nowhere");

    expect(started.logged.map(({ fields }) => fields)).toEqual([
      { conversationId: "c1", count: 2, absent: { "file:none": "not-found", "no:type": "unknown-type" } },
    ]);
  });
});

describe("prepare()", () => {
  test("prepare() stores nothing", async () => {
    await using started = await startService({ config: { systemPrompt: "text" } });

    const prepared = await started.service.prepare("c1", "/");

    expect(prepared).toMatchObject({ text: "text", sha256: sha256("text"), sizeBytes: 4 });
    expect(await started.service.get("c1")).toBeNull();
    expect(await started.storage.list(namespace, {})).toEqual([]);
  });

  test("prepare() rejects with its signal's reason", async () => {
    await using started = await startService();
    const reason = new Error("stop");

    expect(await failureOf(started.service.prepare("c1", "/", { signal: AbortSignal.abort(reason) }))).toBe(reason);
  });
});

describe("get()", () => {
  test("get() returns null without a construction, and an empty string for an empty prompt", async () => {
    await using started = await startService({ config: { systemPrompt: " \n" } });

    const before = await started.service.get("c1");
    await started.service.construct("c1", "/");

    expect(before).toBeNull();
    expect(await started.service.get("c1")).toBe("");
    expect(await started.service.explain("c2")).toBeNull();
    expect((await started.service.describe("c2")).systemPrompt).toBeNull();
  });

  test("get() rejects with STORED_DATA_DAMAGED for unreadable data, and keeps the data", async () => {
    for (const [key, value] of [
      ["resolved:c1", { nonsense: true }],
      ["resolved:c1", null],
      [`text:${sha256("text")}`, "another text"],
      [`text:${sha256("text")}`, 3],
    ] as const) {
      await using started = await startService({ config: { systemPrompt: "text" } });
      await started.service.construct("c1", "/");
      await putStored(started.storage, key, value);

      expect(await failureOf(started.service.get("c1"))).toMatchObject({ code: "STORED_DATA_DAMAGED" });
      expect((await started.storage.get(namespace, key))?.value).toEqual(value);

      await started.service.construct("c1", "/");
      expect(await started.service.get("c1")).toBe("text");
    }
  });

  test("get() rejects with STORED_DATA_DAMAGED if the text is missing", async () => {
    await using started = await startService({ config: { systemPrompt: "text" } });
    await started.service.construct("c1", "/");
    await started.storage.atomic([], [{ kind: "delete", namespace, key: `text:${sha256("text")}` }]);

    expect(await failureOf(started.service.get("c1"))).toMatchObject({ code: "STORED_DATA_DAMAGED" });
  });
});

describe("tiers", () => {
  const config = {
    systemPrompt: "config",
    appendSystemPrompt: "append for [prompt:model]",
    profiles: {
      reviewer: { systemPrompt: "reviewer on [prompt:model]", model: "p/m" },
      silent: { systemPrompt: "" },
      plain: { model: "p/m" },
    },
  };

  test("the first configured tier provides the base text", async () => {
    await using started = await startService({ config });
    const { service } = started;
    const base = async (profile?: string): Promise<string | undefined> =>
      (await service.prepare("c", "/", profile === undefined ? {} : { profile })).text.split("\n\n")[0];

    expect(await base()).toBe("config");
    expect(await base("reviewer")).toBe("reviewer on p/m");
    expect(await base("plain")).toBe("config");
    for (const unknown of ["unknown", "__proto__"])
      expect(await failureOf(base(unknown))).toMatchObject({ code: "PROFILE_UNKNOWN" });
    expect(await base("silent")).toBe("append for ");
    await service.setTemplate("stored");
    expect(await base()).toBe("stored");
    expect(await base("plain")).toBe("stored");
    expect(await base("reviewer")).toBe("reviewer on p/m");
    await service.setTemplate("\n ");
    expect(await base()).toBe("append for ");
    await service.deleteTemplate();
    expect(await base()).toBe("config");
  });

  test("append and segments follow the base, separated by blank lines, in a fixed order", async () => {
    await using started = await startService({
      config,
      segments: [
        segment("not a number", () => "at the end", Number.NaN),
        segment("z", () => "last [prompt:cwd]", 2),
        segment("b", () => "second"),
        segment("nothing", () => null),
        segment("blank", () => " \n"),
        segment("a", async () => "first"),
      ],
    });

    const { text } = await started.service.prepare("c", "/", { model: "a/b" });

    expect(text).toBe("config\n\nappend for a/b\n\nfirst\n\nsecond\n\nlast [prompt:cwd]\n\nat the end");
  });

  test("segments follow a blank line when a request's texts replace a one-letter base", async () => {
    await using started = await startService({
      config: { systemPrompt: "x" },
      segments: [segment("a", () => "only")],
    });
    const tier = { system: ["mine"], mode: "replace" } as const;

    expect(await started.service.construct("c", "/")).toBe("x\n\nonly");
    expect(await started.service.applyRequestTier("c", "/", tier)).toEqual(["mine\n\nonly"]);
  });

  test("construct() logs at most twenty absent variables, and their number", async () => {
    const names = Array.from({ length: 22 }, (_, index) => `acme:n${index}`);
    const logOf = async (count: number): Promise<unknown> => {
      const systemPrompt = names
        .slice(0, count)
        .map((name) => `[${name}]`)
        .join("");
      await using started = await startService({ config: { systemPrompt } });
      await started.service.construct("c", "/");
      return started.logged;
    };
    const absent = (count: number): unknown =>
      Object.fromEntries(names.slice(0, count).map((name) => [name, "unknown-type"]));
    const message = "Some variables of a system prompt are absent";

    expect(await logOf(0)).toEqual([]);
    expect(await logOf(1)).toEqual([{ message, fields: { conversationId: "c", count: 1, absent: absent(1) } }]);
    expect(await logOf(22)).toEqual([{ message, fields: { conversationId: "c", count: 22, absent: absent(20) } }]);
  });

  test("segments follow an empty base without a leading blank line", async () => {
    await using started = await startService({
      config: { systemPrompt: "" },
      segments: [segment("a", () => "only")],
    });

    expect((await started.service.prepare("c", "/")).text).toBe("only");
  });

  test("a segment receives conversation and profile", async () => {
    await using started = await startService({
      config: { systemPrompt: "", profiles: { reviewer: {} } },
      segments: [segment("a", ({ conversationId, profile }) => `${conversationId} ${profile}`)],
    });

    expect((await started.service.prepare("c", "/", { profile: "reviewer" })).text).toBe("c reviewer");
  });

  test("a profile's append follows the base, and precedes the configured append", async () => {
    const append = "As [prompt:model].[if git:branch]x";
    await using started = await startService({
      config: {
        systemPrompt: "config",
        appendSystemPrompt: "[if system:os]tail[endif]",
        profiles: { both: { systemPrompt: "own", append }, behind: { append }, blank: { append: " \n" } },
      },
    });
    const { service } = started;
    const textOf = async (profile: string): Promise<string> =>
      (await service.prepare("c", "/", { profile, model: "p/m" })).text;

    expect(await textOf("both")).toBe("own\n\nAs p/m.[if git:branch]x\n\ntail");
    expect(await textOf("behind")).toBe("config\n\nAs p/m.[if git:branch]x\n\ntail");
    expect(await textOf("blank")).toBe("config\n\ntail");
    expect(await service.construct("c", "/", { profile: "both", model: "p/m" })).toStartWith("own\n\nAs p/m.");
    const explain = await service.explain("c");
    expect(explain).toMatchObject({ profileAppend: append, append: "[if system:os]tail[endif]" });
    expect(explain?.ranges.map(({ tier, origin }) => `${tier} ${origin}`)).toEqual([
      "profile literal",
      "profile-append separator",
      "profile-append append",
      "profile-append variable",
      "profile-append append",
      "append separator",
      "append append",
    ]);
    const tier = { system: ["The call's."], mode: "replace" } as const;
    expect(await service.applyRequestTier("c", "/", tier)).toEqual([
      "The call's.\n\nAs p/m.[if git:branch]x\n\ntail",
    ]);
  });

  test("a deleted profile keeps its previous prompt, and new conversations with it are rejected", async () => {
    const storage = createMemoryStorage();
    const told = { systemPrompt: "Agent in [prompt:cwd]", append: "More." };
    {
      await using before = await startService({
        storage,
        config: { systemPrompt: "config", profiles: { a: told } },
      });
      await before.service.construct("c", "/one", { profile: "a" });
    }
    await using after = await startService({ storage, config: { systemPrompt: "config" } });

    const again = await after.service.prepare("c", "/two", { profile: "a", reason: "compaction" });
    const drift = await after.history.drift("c", "/one", { profile: "a" });

    expect(again.text).toBe("Agent in /two\n\nMore.");
    expect(drift?.isSame).toBe(true);
    expect(await failureOf(after.service.prepare("other", "/", { profile: "a" }))).toMatchObject({
      code: "PROFILE_UNKNOWN",
      message: expect.stringContaining('Unknown profile "a"'),
    });
  });

  test("a deleted profile does not use an imported prompt", async () => {
    const told = { systemPrompt: "[file:/etc/hostname]", append: "[file:/etc/hostname]" };
    await using sender = await startService({ config: { profiles: { a: told } } });
    await sender.service.construct("c", "/", { profile: "a" });
    const exported = await sender.service.exportPrompt("c");
    await using started = await startService({ config: { systemPrompt: "config" } });
    await started.commit(await started.service.importPrompt("c", exported));

    expect((await started.service.prepare("c", "/", { profile: "a" })).text).toBe("config");
  });

  test("a segment that throws, times out or returns no text is omitted, reported and logged", async () => {
    const number: PromptSegment["text"] = () => JSON.parse("3");
    await using started = await startService({
      config: { systemPrompt: "base" },
      segments: [
        segment("a-throws", () => {
          throw new Error("broken");
        }),
        segment("b-late", () => new Promise(() => {})),
        segment("c-number", number),
        segment("d-good", () => "good"),
      ],
    });

    const constructing = started.service.construct("c1", "/");
    while (started.clock.pending === 0) await new Promise((resolve) => setImmediate(resolve));
    await started.clock.advance(5_000);

    expect(await constructing).toBe("base\n\ngood");
    const explain = await started.service.explain("c1");
    expect(explain?.segments?.map(({ id, kind, detail }) => [id, kind, detail])).toEqual([
      ["a-throws", "failed", "broken"],
      ["b-late", "failed", "not done within 5000 ms"],
      ["c-number", "failed", "gave number, not a text"],
      ["d-good", "text", null],
    ]);
    expect(started.logged).toHaveLength(3);
  });
});

test("construct() waits for a segment's own timeout; preview() and drift() use the default", async () => {
  const asked = Promise.withResolvers<number>();
  const slow: PromptSegment = {
    id: "slow",
    order: 1,
    timeoutMs: 1_000_000,
    text: async ({ timeoutMs }) => {
      asked.resolve(timeoutMs);
      return new Promise(() => {});
    },
  };
  await using started = await startService({ config: { systemPrompt: "base" }, segments: [slow] });
  const look = started.service.preview({ cwd: "/" }, preview);
  while (started.clock.pending === 0) await new Promise((resolve) => setImmediate(resolve));
  await started.clock.advance(5_000);
  expect((await look).explain.segments).toMatchObject([{ kind: "failed", detail: "not done within 5000 ms" }]);
  expect(await asked.promise).toBe(5_000);

  const constructing = started.service.construct("c1", "/");
  while (started.clock.pending === 0) await new Promise((resolve) => setImmediate(resolve));
  await started.clock.advance(60_000);

  expect(await constructing).toBe("base");
  expect((await started.service.explain("c1"))?.segments).toMatchObject([{ detail: "not done within 60000 ms" }]);
});

describe("preview()", () => {
  test("preview() returns the result of construct() without storing it", async () => {
    const cwd = await newFolder({ "AGENTS.md": "Be kind." });
    await using started = await startService({
      config: { appendSystemPrompt: "[prompt:model]" },
      segments: [segment("s", () => "S")],
    });

    const shown = await started.service.preview({ cwd, model: "a/b" }, preview);
    const before = await started.storage.list(namespace, {});
    const sent = await started.service.construct("c1", cwd, { model: "a/b" });

    expect(shown.systemPrompt).toBe(sent);
    expect(before).toEqual([]);
    expect(await started.service.explain("c1")).toEqual(shown.explain);
  });

  test("preview() defaults to the host's folder and model", async () => {
    await using started = await startService({ config: { profiles: { p: { model: "p/m" } } } });
    const template = "[prompt:cwd] [prompt:model] [if !prompt:conversation_id]none[endif]";

    expect((await started.service.preview({ template }, preview)).systemPrompt).toBe("/nowhere offline/echo none");
    expect((await started.service.preview({ template, profile: "p" }, preview)).systemPrompt).toBe(
      "/nowhere p/m none",
    );
  });

  test("preview() uses a given template instead of the stored one", async () => {
    await using started = await startService({ config: { profiles: { p: { systemPrompt: "profile" } } } });
    await started.service.setTemplate("stored");

    expect((await started.service.preview({ template: "draft" }, preview)).systemPrompt).toBe("draft");
    expect((await started.service.preview({ template: "" }, preview)).systemPrompt).toBe("");
    expect((await started.service.preview({ template: "draft", profile: "p" }, preview)).systemPrompt).toBe(
      "profile",
    );
    expect((await started.service.preview({}, preview)).systemPrompt).toBe("stored");
  });
});

describe("explain()", () => {
  test("explain() reports the origin of each part, and the outcome of each tier and variable", async () => {
    const cwd = await newFolder({ "a.md": "AAA", "empty.md": "" });
    const template = "x[file:a.md]y[file:none]z[if file:empty.md]\\[w[endif]";
    await using started = await startService({
      config: { systemPrompt: "config", appendSystemPrompt: "P[file:a.md]" },
      segments: [segment("s", () => "S")],
    });
    await started.service.setTemplate(template);

    const text = await started.service.construct("c1", cwd);
    const explain = explainSchema.parse(await started.service.explain("c1"));

    expect(text).toBe("xAAAyz[w\n\nPAAA\n\nS");
    expect(
      explain.ranges.map(({ start, end, origin, name, tier }) => [text.slice(start, end), origin, name, tier]),
    ).toEqual([
      ["x", "literal", null, "global"],
      ["AAA", "variable", "file:a.md", "global"],
      ["y", "literal", null, "global"],
      ["z", "literal", null, "global"],
      ["[w", "literal", null, "global"],
      ["\n\n", "separator", null, "append"],
      ["P", "append", null, "append"],
      ["AAA", "variable", "file:a.md", "append"],
      ["\n\n", "separator", null, "segment"],
      ["S", "segment", "s", "segment"],
    ]);
    expect(explain.tiers.map(({ tier, won, template, reason }) => [tier, won, template, reason])).toEqual([
      ["request", false, null, "not set"],
      ["profile", false, null, "not set"],
      ["global", true, template, "the first that is set"],
      ["global", false, "config", "set, but stored template comes first"],
      ["default", false, DEFAULT_TEMPLATE, "set, but stored template comes first"],
    ]);
    const variables = new Map(explain.variables.map((variable) => [variable.name, variable]));
    expect(variables.get("a.md")).toMatchObject({
      kind: "value",
      value: "AAA",
      sizeBytes: 3,
      source: join(cwd, "a.md"),
    });
    expect(variables.get("none")).toMatchObject({ kind: "absent", value: null, reason: "not-found" });
    expect(variables.get("empty.md")).toMatchObject({ kind: "value", value: "", sizeBytes: 0 });
    expect(explain).toMatchObject({
      sha256: sha256(text),
      sizeBytes: text.length,
      templateVersion: 1,
      tokens: { count: 5, method: "estimate" },
      append: "P[file:a.md]",
      model: null,
    });
    expect(explain.tiers.map(({ position, version, sha256: hash }) => [position, version, hash])).toEqual([
      [1, null, null],
      [2, null, null],
      [3, 1, sha256(template)],
      [4, null, sha256("config")],
      [5, null, sha256(DEFAULT_TEMPLATE)],
    ]);
    expect(explain.branches).toMatchObject([
      { condition: "if file:empty.md", side: "then", parent: null, template: "base" },
    ]);
    const stoodFor = ({ tier, templateStart, templateEnd }: Explain["ranges"][number]): string | undefined =>
      (tier === "append" ? explain.append : template)?.slice(templateStart ?? 0, templateEnd ?? 0);
    expect(explain.ranges.map((range) => [stoodFor(range), range.branch])).toEqual([
      ["x", null],
      ["[file:a.md]", null],
      ["y", null],
      ["z", null],
      ["[w", 0],
      ["", null],
      ["P", null],
      ["[file:a.md]", null],
      ["", null],
      ["", null],
    ]);
    expect(explain.ranges.map(({ extension }) => extension)).toEqual([...Array(9).fill(null), "acme.additions"]);
    expectCovered(explain, text);
  });

  test("explain() covers each unit of the text once, for any template", async () => {
    const values = ["", "\ud83d", "\ude00", "[a:b]", "\n"];
    await using started = await startService({
      config: { appendSystemPrompt: "[odd:1]x[odd:2]" },
      variables: odd(async (name) => ({ value: values[Number(name)] ?? "?" })),
      segments: [segment("s", () => "\ud83d")],
    });
    const parts = fc.constantFrom(
      "[odd:0]",
      "[odd:1]",
      "[odd:2]",
      "[odd:3]",
      "[odd:4]",
      "[if odd:1]",
      "[endif]",
      "[",
      "\\[",
      "\ud83d",
      "\ude00",
    );

    await fc.assert(
      fc.asyncProperty(fc.array(parts), async (template) => {
        const { systemPrompt, explain } = await started.service.preview({ template: template.join("") }, preview);
        expectCovered(explain, systemPrompt);
        expect(explain.sha256).toBe(sha256(systemPrompt));
        expect(explain.tiers.filter(({ won }) => won)).toHaveLength(1);
      }),
      { numRuns: 200 },
    );
  });

  test("explain() does not store a file's text per conversation", async () => {
    const cwd = await newFolder({ "big.md": "b".repeat(10_000) });
    await using started = await startService({ config: { systemPrompt: "[file:big.md]" } });

    await started.service.construct("c1", cwd);
    const record = await started.storage.get(namespace, "explain:c1");

    expect(JSON.stringify(record?.value).length).toBeLessThan(3_000);
    expect((await started.service.explain("c1"))?.variables[0]?.value).toBe("b".repeat(10_000));
  });
});

describe("applyRequestTier()", () => {
  const config = { systemPrompt: "base line\nbe brief", appendSystemPrompt: "append" };

  test("applyRequestTier() replaces the base, and joins append and segments to the last text", async () => {
    await using started = await startService({ config, segments: [segment("s", () => "segment")] });
    const kept = await started.service.construct("c1", "/");
    const replace = (system: readonly string[], id = "c1"): Promise<readonly string[]> =>
      started.service.applyRequestTier(id, "/", { system, mode: "replace" });

    expect(await replace(["one [prompt:cwd]", "two"])).toEqual(["one [prompt:cwd]", "two\n\nappend\n\nsegment"]);
    expect(await replace(["one"], "never constructed")).toEqual(["one\n\nappend\n\nsegment"]);
    expect(await replace([" "])).toEqual(["append\n\nsegment"]);
    expect(await replace([])).toEqual([kept]);
    expect(await started.service.get("c1")).toBe(kept);
    expect(await started.service.get("never constructed")).toBeNull();
  });

  test("applyRequestTier() appends texts that are not in the prompt", async () => {
    await using started = await startService({ config });
    const kept = await started.service.construct("c1", "/");
    const append = (system: readonly string[]): Promise<readonly string[]> =>
      started.service.applyRequestTier("c1", "/", { system, mode: "append" });

    expect(await append(["new", "be brief", "base line\nbe brief", "new", "be", ""])).toEqual([kept, "new", "be"]);
  });

  test("applyRequestTier() returns no message without text", async () => {
    await using started = await startService({ config: { systemPrompt: "" } });

    expect(await started.service.applyRequestTier("c1", "/", { system: [""], mode: "replace" })).toEqual([]);
    expect(await started.service.applyRequestTier("c1", "/", { system: [], mode: "append" })).toEqual([]);
  });
});

describe("template", () => {
  test("getTemplate() returns the template in force with its source", async () => {
    await using plain = await startService();
    await using configured = await startService({ config: { systemPrompt: "config" } });

    expect(await plain.service.getTemplate()).toEqual({ template: DEFAULT_TEMPLATE, source: "default" });
    expect(await configured.service.getTemplate()).toEqual({ template: "config", source: "config" });
    await configured.service.setTemplate("");
    expect(await configured.service.getTemplate()).toEqual({ template: "", source: "stored" });
    await configured.service.deleteTemplate();
    expect(await configured.service.getTemplate()).toEqual({ template: "config", source: "config" });
  });

  test("setTemplate() accepts 1 MiB, and rejects more without a change", async () => {
    await using started = await startService();
    const largest = "é".repeat(524_288);

    await started.service.setTemplate(largest);
    const failure = await failureOf(started.service.setTemplate(`${largest}x`));

    expect(failure).toMatchObject({ code: "TEMPLATE_TOO_LARGE" });
    expect((await started.service.getTemplate()).template).toBe(largest);
  });

  test("setTemplate() numbers versions without reuse", async () => {
    await using started = await startService();
    const { service } = started;
    const version = async (): Promise<number | null> =>
      (await service.preview({}, preview)).explain.templateVersion;

    await Promise.all(["a", "b", "c"].map((template) => service.setTemplate(template)));
    expect(await version()).toBe(3);
    await service.setTemplate((await service.getTemplate()).template);
    expect(await version()).toBe(3);
    await service.deleteTemplate();
    expect(await version()).toBeNull();
    await service.setTemplate("d");
    expect(await version()).toBe(5);
  });

  test("an unreadable template is reported, and set aside by the next one", async () => {
    await using started = await startService();
    await started.service.setTemplate("fine");
    await putStored(started.storage, "template", { nonsense: true });

    expect(await failureOf(started.service.getTemplate())).toMatchObject({ code: "STORED_DATA_DAMAGED" });
    expect(await failureOf(started.service.construct("c1", "/"))).toMatchObject({ code: "STORED_DATA_DAMAGED" });
    await started.service.setTemplate("new");

    expect((await started.service.getTemplate()).template).toBe("new");
    const aside = await started.storage.list(namespace, { prefix: "damaged:template:" });
    expect(aside.map(({ value }) => value)).toEqual([{ nonsense: true }]);
  });
});

test("getVariables() lists built-in variables first; extensions cannot override their types", async () => {
  const resolve = async (): Promise<{ readonly value: string }> => ({ value: "" });
  await using started = await startService({
    variables: [
      { type: "weather", variables: [{ name: "<city>", description: "Weather now", dynamic: true }], resolve },
      { type: "git", variables: [{ name: "hijacked", description: "" }], resolve },
    ],
  });

  const listed = (await started.service.getVariables()).map(({ type, name }) => `${type}:${name}`);

  expect(listed).toEqual([
    "system:time",
    "system:date",
    "system:os",
    "system:hostname",
    "prompt:cwd",
    "prompt:model",
    "prompt:conversation_id",
    "git:branch",
    "git:status",
    "file:<path>",
    "weather:<city>",
  ]);
});

test("preview() releases its signals: a later abort has no effect", async () => {
  const given: AbortSignal[] = [];
  const fs: Pick<FileSystem, "readFile"> = {
    async readFile(_path, { signal }) {
      if (signal !== undefined) given.push(signal);
      return { kind: "absent", reason: "not-found" };
    },
  };
  const caller = new AbortController();

  {
    await using started = await startService({ fs });
    await started.service.preview({ template: "[file:a]" }, { ...preview, signal: caller.signal });
    caller.abort();
  }

  expect(given.map(({ aborted }) => aborted)).toEqual([false]);
});
