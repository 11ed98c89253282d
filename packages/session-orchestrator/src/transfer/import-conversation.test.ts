import type { ConversationId, ExportLine } from "@incipit/schema";
import { expect, test } from "bun:test";
import { collect, createWorld, outcomeOf } from "../testing/test-world.ts";
import { FullableStorage, hookedStorage } from "../testing/hooked-storage.ts";
import { linesFrom, outcomeIn, type RecordLine } from "../testing/archive.ts";

async function exported(): Promise<{ readonly id: ConversationId; readonly lines: readonly ExportLine[] }> {
  await using world = await createWorld();
  const { id } = await world.ask("one");
  return { id, lines: await collect(world.conversations.exportLines(id)) };
}

function withRecord(
  lines: readonly ExportLine[],
  kind: string,
  change: (line: RecordLine) => RecordLine,
): readonly ExportLine[] {
  const index = lines.findLastIndex((line) => line.type === "record" && line.kind === kind);
  return lines.map((line, at) => (at === index && line.type === "record" ? change(line) : line));
}

for (const [kind, key] of [
  ["event", "zz"],
  ["event", "000000000099"],
  ["message", "zz"],
  ["step", "zz"],
  ["wire", "../zz"],
] as const) {
  test(`importLines() rejects a "${kind}" record with the key "${key}" and stores nothing`, async () => {
    const { id, lines } = await exported();
    await using world = await createWorld();
    const moved = withRecord(lines, kind, (line) => ({ ...line, key }));

    const refused = await outcomeOf(world.conversations.importLines(linesFrom(moved)));

    expect(refused).toMatchObject({ code: "INVALID_REQUEST" });
    expect(String(refused)).toContain(`"${key}" is not its key`);
    expect(await outcomeOf(world.conversations.get(id))).toMatchObject({
      code: "CONVERSATION_UNKNOWN",
    });
    expect((await world.conversations.importLines(linesFrom(lines))).lastSeq).toBeGreaterThan(0);
  });
}

test("importLines() rejects a missing header and a newer version", async () => {
  const { lines } = await exported();
  await using world = await createWorld();
  const newer = lines.map((line) => (line.type === "incipit-conversation" ? { ...line, version: 99 } : line));
  const [, ...headless] = lines;

  const refused = await Promise.all(
    [newer, [...headless.slice(0, 1), ...headless]].map((changed) => outcomeIn(world, changed)),
  );

  expect(refused[0]).toContain("it has version 99");
  expect(refused[1]).toContain('an export begins with {"type":"incipit-conversation"}');
});

test("importLines() rejects a waiting turn of another conversation", async () => {
  const { lines } = await exported();
  await using world = await createWorld();
  const { id: other } = await world.conversations.create({});
  const [turnId] = lines.flatMap((line) =>
    line.type === "record" && line.kind === "message"
      ? [JSON.stringify(line.value).match(/"turnId":"([^"]+)"/)?.[1]]
      : [],
  );
  const value = { conversationId: other, turnId, state: "queued", request: { input: "not mine" } };
  const forged = withRecord(lines, "wire", (line) => ({ ...line, kind: "waiting", key: turnId ?? "", value }));

  const refused = await outcomeOf(world.conversations.importLines(linesFrom(forged)));

  expect(refused).toMatchObject({ code: "NOT_A_HISTORY" });
});

test("create() works next to an imported conversation with a far future id", async () => {
  const { id, lines } = await exported();
  await using world = await createWorld();
  const last = "ffffffff-ffff-7fff-bfff-ffffffffffff";
  const text = JSON.stringify(lines).replaceAll(id, last);

  const imported = await world.conversations.importLines(linesFrom(JSON.parse(text)));
  const created = await world.conversations.create({});

  expect<string>(imported.id).toBe(last);
  expect(created.id < imported.id).toBe(true);
});

test("importLines() holds few large records in memory", async () => {
  await using source = await createWorld();
  const { id } = await source.conversations.create({});
  for (let count = 0; count < 8; count += 1) await source.turn(id, "long ".repeat(100_000));
  const lines = await collect(source.conversations.exportLines(id));
  const lengths: number[] = [];
  const storage = hookedStorage({ atomic: (writes) => lengths.push(JSON.stringify(writes).length) });
  await using world = await createWorld({ storage });

  await world.conversations.importLines(linesFrom(lines));

  expect(lengths.reduce((sum, length) => sum + length, 0)).toBeGreaterThan(8_000_000);
  expect(Math.max(...lengths)).toBeLessThan(2_000_000);
});

test("importLines() can be retried after a storage failure during import and cleanup", async () => {
  const { id, lines } = await exported();
  const full = new FullableStorage();
  await using world = await createWorld({ storage: full.driver });
  async function* filling(): AsyncGenerator<ExportLine> {
    yield* lines.slice(0, -1);
    full.isFull = true;
    yield* lines.slice(-1);
  }

  const refused = await outcomeOf(world.conversations.importLines(filling()));
  full.isFull = false;
  const imported = await world.conversations.importLines(linesFrom(lines));

  expect(refused).toMatchObject({ code: "STORAGE_FAILED" });
  expect(imported.id).toBe(id);
});

test("importLines() rejects an epoch that does not start with a user message", async () => {
  const { lines } = await exported();
  await using world = await createWorld();
  const isSaid = (line: ExportLine): line is RecordLine => line.type === "record" && line.kind === "message";
  const [first, last] = [lines.findIndex(isSaid), lines.findLastIndex(isSaid)];
  for (const [at, changes] of [
    [first, { role: "assistant" }],
    [last, { epoch: 2 }],
  ] as const) {
    const changed = lines.map((line, index) =>
      index === at && isSaid(line) ? { ...line, value: { ...Object(line.value), ...changes } } : line,
    );

    const refused = await outcomeOf(world.conversations.importLines(linesFrom(changed)));

    expect(refused).toMatchObject({ code: "INVALID_REQUEST" });
    expect(String(refused)).toContain("role: an epoch begins with what a user says");
  }
});

test("importLines() rejects a concurrent second import without affecting the first", async () => {
  const { id, lines } = await exported();
  await using world = await createWorld();
  const goOn = Promise.withResolvers<void>();
  async function* halting(): AsyncGenerator<ExportLine> {
    yield* lines.slice(0, 3);
    begun.resolve();
    await goOn.promise;
    yield* lines.slice(3);
  }
  const begun = Promise.withResolvers<void>();
  const first = world.conversations.importLines(halting());
  await begun.promise;

  const second = await outcomeOf(world.conversations.importLines(linesFrom(lines)));
  goOn.resolve();

  expect(second).toMatchObject({ code: "CONVERSATION_EXISTS" });
  expect((await first).id).toBe(id);
  expect((await world.records.messages(id, { limit: 100 })).items).toHaveLength(2);
});

test("importLines() rejects an export truncated at any line and stores nothing", async () => {
  const { id, lines } = await exported();
  await using world = await createWorld();

  for (let count = 0; count < lines.length; count += 1) {
    const refused = await outcomeOf(world.conversations.importLines(linesFrom(lines.slice(0, count))));
    expect(refused).toMatchObject({ code: "INVALID_REQUEST" });
    expect(String(refused)).toContain(`line ${Math.max(count, 1)}: it ends here, without its last line`);
  }

  expect((await world.conversations.importLines(linesFrom(lines))).id).toBe(id);
});

test("exportLines() excludes later changes and ends with the number of records", async () => {
  await using world = await createWorld({ prompts: ["prompt"] });
  const { id } = await world.ask("one");
  const before = await collect(world.conversations.exportLines(id));

  const lines: ExportLine[] = [];
  for await (const line of world.conversations.exportLines(id)) {
    if (lines.length === 1) await world.turn(id, "newer", { system: ["else"] });
    lines.push(line);
  }

  expect(lines).toEqual([...before]);
  expect(lines.at(-1)).toEqual({ type: "end", records: lines.filter(({ type }) => type === "record").length });
  expect(await collect(world.conversations.exportLines(id))).not.toEqual([...before]);
});
