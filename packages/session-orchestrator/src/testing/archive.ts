import type { ConversationId, ExportLine } from "@incipit/schema";
import { createMemoryStorage } from "@incipit/testkit";
import { newTool } from "./new-tool.ts";
import { call, collect, createWorld, type World } from "./test-world.ts";

export type RecordLine = Extract<ExportLine, { type: "record" }>;

export interface Archive {
  readonly id: ConversationId;
  readonly lines: readonly ExportLine[];
}

export async function exportedArchive({ calls = 1 }: { readonly calls?: number } = {}): Promise<Archive> {
  const tool = newTool("note", { approval: "allow", execute: async () => "long ".repeat(60_000) });
  await using world = await createWorld({ tools: [tool], prompts: ["Be brief."] });
  const { id } = await world.conversations.create({ title: "Notes" });
  const called = Array.from({ length: calls }, (_, index) => `call-${index + 1}`);
  world.scripts.push(() => call(...called.map((toolCallId) => ({ toolCallId, name: "note", input: "{}" }))));
  await world.turn(id, "one");
  await world.turn(id, "two");
  return { id, lines: await collect(world.conversations.exportLines(id)) };
}

export async function* linesFrom(lines: readonly ExportLine[]): AsyncGenerator<ExportLine> {
  yield* lines;
}

export function withConversation(
  lines: readonly ExportLine[],
  change: Readonly<Record<string, unknown>>,
): readonly ExportLine[] {
  return lines.map((line) =>
    line.type === "conversation" ? { ...line, value: { ...fieldsOf(line.value), ...change } } : line,
  );
}

export function withRecords(
  lines: readonly ExportLine[],
  change: (records: readonly RecordLine[]) => readonly RecordLine[],
): readonly ExportLine[] {
  const records = change(lines.filter((line) => line.type === "record"));
  const head = lines.filter(({ type }) => type !== "record" && type !== "end");
  return [...head, ...records, { type: "end", records: records.length }];
}

export function withValue(
  lines: readonly ExportLine[],
  kind: string,
  change: (value: Readonly<Record<string, unknown>>) => unknown,
  isIt: (value: Readonly<Record<string, unknown>>) => boolean = () => true,
): readonly ExportLine[] {
  const at = lines.findIndex((line) => line.type === "record" && line.kind === kind && isIt(fieldsOf(line.value)));
  if (at === -1) throw new Error(`There is no such record of the kind "${kind}"`);
  return lines.map((line, index) =>
    index === at && line.type === "record" ? { ...line, value: change(fieldsOf(line.value)) } : line,
  );
}

export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

export async function importOutcome(lines: readonly ExportLine[]): Promise<string> {
  await using world = await createWorld({ prompts: [], storage: createMemoryStorage() });
  return await outcomeIn(world, lines); // Await before the world is disposed.
}

export async function outcomeIn({ conversations }: World, lines: readonly ExportLine[]): Promise<string> {
  return conversations.importLines(linesFrom(lines)).then(
    () => "imported",
    (error: unknown) =>
      error instanceof Error && "code" in error ? `${String(error.code)}: ${error.message}` : String(error),
  );
}
