import { describe, expect, test } from "bun:test";
import { DEFAULT_TEMPLATE } from "@incipit/schema";
import type { PromptTemplates } from "@incipit/service-contract";
import { createMemoryStorage } from "@incipit/testkit";
import fc from "fast-check";
import { failureOf, namespace, putStored, sha256, startService } from "../testing/start-service.ts";

const all = { limit: 100 };

async function numbersOf(templates: PromptTemplates): Promise<readonly number[]> {
  return (await templates.versions(all)).versions.map(({ version }) => version);
}

describe("versions()", () => {
  test("versions() lists each stored text and each deletion, newest first", async () => {
    await using started = await startService();
    await started.templates.set("one", { author: "ann", note: "first" });
    await started.clock.advance(1_000);
    await started.templates.set("zwei \u{1f600}");
    await started.templates.set("zwei \u{1f600}", { note: "the same again" });
    await started.templates.delete({ author: "bob" });

    const { versions, ...rest } = await started.templates.versions(all);

    expect(rest).toEqual({ current: null, damaged: [] });
    expect(versions).toEqual([
      { version: 3, createdAt: "2026-01-01T00:00:01.000Z", sha256: null, sizeBytes: 0, author: "bob", note: null },
      {
        version: 2,
        createdAt: "2026-01-01T00:00:01.000Z",
        sha256: sha256("zwei \u{1f600}"),
        sizeBytes: 9,
        author: null,
        note: null,
      },
      {
        version: 1,
        createdAt: "2026-01-01T00:00:00.000Z",
        sha256: sha256("one"),
        sizeBytes: 3,
        author: "ann",
        note: "first",
      },
    ]);
  });

  test("versions() paginates", async () => {
    await using started = await startService();
    for (const text of "abcdefg") await started.templates.set(text);
    const seen: number[] = [];

    for (let cursor: string | undefined; ;) {
      const page = await started.templates.versions({ limit: 3, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...page.versions.map(({ version }) => version));
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }

    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1]);
  });

  test("versions() rejects the cursor of another list", async () => {
    await using started = await startService();
    await started.templates.set("a");
    const cursor = "01a1fcd7-5c9a-7556-afda-76769002c75c";

    expect(await failureOf(started.templates.versions({ limit: 1, cursor }))).toMatchObject({
      code: "INVALID_REQUEST",
    });
  });

  test("versions() stores identical texts once", async () => {
    await using started = await startService();
    for (const text of ["a", "b", "a", "b", "a"]) await started.templates.set(text);

    expect(await numbersOf(started.templates)).toEqual([5, 4, 3, 2, 1]);
    expect(await started.storage.list(namespace, { prefix: "template-text:" })).toHaveLength(2);
  });

  test("[set-aside] versions() reports an unreadable record, and returns the others", async () => {
    await using started = await startService();
    for (const text of ["a", "b", "c"]) await started.templates.set(text);
    await putStored(started.storage, "template-version:000000000002", { nonsense: true });
    await putStored(started.storage, `template-text:${sha256("a")}`, "another text");

    const { versions, damaged, current } = await started.templates.versions(all);

    expect({ versions: versions.map(({ version }) => version), damaged, current }).toEqual({
      versions: [3, 1],
      damaged: [2],
      current: 3,
    });
    for (const version of [1, 2])
      expect(await failureOf(started.templates.version(version))).toMatchObject({ code: "STORED_DATA_DAMAGED" });
    expect((await started.templates.version(3)).template).toBe("c");
    expect((await started.templates.inForce()).template).toBe("c");
    await started.templates.set("d");
    expect((await started.templates.versions(all)).damaged).toEqual([2]);
  });

  test("versions() and restore() work when the stored template is unreadable", async () => {
    await using started = await startService();
    await started.templates.set("a");
    await putStored(started.storage, "template", 3);

    expect(await failureOf(started.templates.inForce())).toMatchObject({ code: "STORED_DATA_DAMAGED" });
    expect(await started.templates.versions(all)).toMatchObject({ versions: [{ version: 1 }], current: null });
    const { template, version } = await started.templates.restore(1);

    expect(template).toBe("a");
    expect(version).toBeGreaterThan(1);
    expect((await started.templates.inForce()).template).toBe("a");
  });

  test("version numbers are never reused, even if the stored template is lost", async () => {
    await using started = await startService();
    for (const text of ["a", "b", "c"]) await started.templates.set(text);
    await started.storage.atomic([], [{ kind: "delete", namespace, key: "template" }]);

    expect((await started.templates.set("d")).version).toBe(4);
  });

  test("version() rejects with TEMPLATE_VERSION_UNKNOWN for an unknown number", async () => {
    await using started = await startService();
    await started.templates.set("a");

    for (const call of [
      started.templates.version(2),
      started.templates.diff(2),
      started.templates.diff(1, { against: 7 }),
      started.templates.restore(2),
    ])
      expect(await failureOf(call)).toMatchObject({ code: "TEMPLATE_VERSION_UNKNOWN" });
  });
});

describe("diff()", () => {
  test("diff() compares a version with the previous one, or with a given one", async () => {
    await using started = await startService();
    for (const text of ["one\n", "one\ntwo\n", "three\n"]) await started.templates.set(text);
    await started.templates.delete();

    expect(await started.templates.diff(2)).toMatchObject({
      from: 1,
      to: 2,
      unified: "--- version 1\n+++ version 2\n@@ -1,1 +1,2 @@\n one\n+two\n",
    });
    expect(await started.templates.diff(1)).toMatchObject({ from: null, hunks: [{ lines: ["+one"] }] });
    expect(await started.templates.diff(1, { against: 3 })).toMatchObject({
      from: 3,
      to: 1,
      hunks: [{ lines: ["-three", "+one"] }],
    });
    expect(await started.templates.diff(4)).toMatchObject({ from: 3, hunks: [{ lines: ["-three"] }] });
  });

  test("diff() skips an unreadable previous version", async () => {
    await using started = await startService();
    for (const text of ["one\n", "two\n", "three\n"]) await started.templates.set(text);
    await putStored(started.storage, "template-version:000000000002", null);

    expect((await started.templates.diff(3)).from).toBe(1);
  });
});

describe("restore()", () => {
  test("restore() stores an old version as a new one, and notes its number", async () => {
    await using started = await startService();
    await started.templates.set("one");
    await started.templates.set("two");

    const restored = await started.templates.restore(1, { author: "ann" });
    await started.templates.restore(2, { note: "was better" });

    expect(restored).toMatchObject({ template: "one", source: "stored", version: 3 });
    expect((await started.templates.versions(all)).versions.map(({ author, note }) => [author, note])).toEqual([
      [null, "restored from version 2: was better"],
      ["ann", "restored from version 1"],
      [null, null],
      [null, null],
    ]);
  });

  test("restore() of a deletion deletes the template", async () => {
    await using started = await startService({ config: { systemPrompt: "configured" } });
    await started.templates.set("one");
    await started.templates.delete();
    await started.templates.set("two");

    expect(await started.templates.restore(2)).toMatchObject({
      template: "configured",
      source: "config",
      version: null,
    });
  });
});

describe("conditions", () => {
  test("the second of two writers gets TEMPLATE_CONFLICT with both texts, and can continue", async () => {
    await using started = await startService();
    await started.templates.set("base");
    const { etag } = await started.templates.inForce();
    const condition = { ifMatch: [etag ?? ""] };
    await started.templates.set("theirs", { author: "bob", condition });

    const failure = await failureOf(started.templates.set("yours", { condition }));

    expect(failure).toMatchObject({
      code: "TEMPLATE_CONFLICT",
      details: {
        yours: "yours",
        theirs: "theirs",
        version: 2,
        author: "bob",
        createdAt: "2026-01-01T00:00:00.000Z",
      },
    });
    expect(await numbersOf(started.templates)).toEqual([2, 1]);
    const now = (await started.templates.inForce()).etag ?? "";
    expect(await started.templates.set("both", { condition: { ifMatch: [now] } })).toMatchObject({ version: 3 });
  });

  test("an entity tag identifies text, source and version: a restored text has a new one", async () => {
    await using started = await startService();
    const tags = [(await started.templates.inForce()).etag];
    for (const text of ["a", "b", "a", null, DEFAULT_TEMPLATE, null]) {
      const { etag } = text === null ? await started.templates.delete() : await started.templates.set(text);
      expect(etag).toBe((await started.templates.inForce()).etag);
      tags.push(etag);
    }

    expect(new Set(tags).size).toBe(tags.length);
    for (const tag of tags) expect(tag).toMatch(/^"[\x21\x23-\x7e]+"$/);
  });

  test("* matches a stored template, weak tags never match, and lists match any tag", async () => {
    await using started = await startService();
    const { templates } = started;
    const isRefused = async (condition: Parameters<typeof templates.set>[1]): Promise<boolean> =>
      (await failureOf(templates.delete(condition))) !== undefined;

    expect(await isRefused({ condition: { ifMatch: "*" } })).toBe(true);
    await templates.set("a", { condition: { ifNoneMatch: "*" } });
    expect(await failureOf(templates.set("b", { condition: { ifNoneMatch: "*" } }))).toMatchObject({
      code: "TEMPLATE_CONFLICT",
    });
    const { etag } = await templates.inForce();
    expect(await isRefused({ condition: { ifMatch: [`W/${etag}`] } })).toBe(true);
    expect(await isRefused({ condition: { ifNoneMatch: [`W/${etag}`] } })).toBe(true);
    expect(await isRefused({ condition: { ifMatch: ['"none"', etag ?? ""], ifNoneMatch: ['"none"'] } })).toBe(
      false,
    );
    expect((await templates.inForce()).source).toBe("default");
  });

  test("a failed condition rejects an identical text, also in restore()", async () => {
    await using started = await startService();
    await started.templates.set("a");
    const condition = { ifMatch: ['"stale"'] };

    for (const call of [started.templates.set("a", { condition }), started.templates.restore(1, { condition })])
      expect(await failureOf(call)).toMatchObject({ code: "TEMPLATE_CONFLICT" });
  });

  test("[never-lost] each of several concurrent writes is a version, and one per tag succeeds", async () => {
    const writes = fc.array(fc.record({ text: fc.constantFrom("a", "b", "c", "d"), isConditional: fc.boolean() }), {
      minLength: 1,
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(writes, async (list) => {
        const storage = createMemoryStorage();
        // Two generations of the builder, as during a swap, without shared state.
        await using first = await startService({ storage });
        await using second = await startService({ storage });
        await first.templates.set("base");
        const { etag } = await first.templates.inForce();
        const results = await Promise.all(
          list.map(async ({ text, isConditional }, index) => {
            const { templates } = index % 2 === 0 ? first : second;
            const condition = isConditional ? { condition: { ifMatch: [etag ?? ""] } } : {};
            const unique = `${text}${index}`;
            const failure = await failureOf(templates.set(unique, { ...condition, note: String(index) }));
            return { unique, isConditional, failure };
          }),
        );

        const { versions } = await first.templates.versions({ limit: 200 });
        const texts = await Promise.all(versions.map(({ version }) => first.templates.version(version)));
        const stored = results.filter(({ failure }) => failure === undefined);
        expect(texts).toHaveLength(stored.length + 1);
        expect(new Set(texts.map(({ template }) => template))).toEqual(
          new Set(["base", ...stored.map(({ unique }) => unique)]),
        );
        expect(versions.map(({ version }) => version)).toEqual(versions.map((_, at) => versions.length - at));
        expect(stored.filter(({ isConditional }) => isConditional).length).toBeLessThanOrEqual(1);
        for (const { failure } of results)
          if (failure !== undefined) expect(failure).toMatchObject({ code: "TEMPLATE_CONFLICT" });
        expect((await second.templates.inForce()).template).toBe(texts[0]?.template ?? "");
      }),
      { numRuns: 30 },
    );
  });
});
