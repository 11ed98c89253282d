import { fuzzRuns, mutatedEditor } from "@incipit/testkit";
import { expect, test } from "bun:test";
import * as z from "zod";
import { createAcpWorld, type AcpWorld } from "./acp-world.ts";

const { firstSeed, count } = fuzzRuns(process.env, 40);
const deadlineMs = 30_000;

const requestSchema = z.looseObject({ method: z.string(), id: z.union([z.string(), z.number()]) });
const sessionSchema = z.looseObject({ sessionId: z.string() });

test("incipit acp answers each request of a fuzzed editor once, and ends with it", async () => {
  await using world = await createAcpWorld();
  await world.host();
  const lost: string[] = [];
  for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
    const loss = await lossOf(seed, world);
    if (loss !== undefined) lost.push(`seed ${seed}: ${loss}`);
  }

  expect(lost).toEqual([]);
}, 3_600_000);

async function lossOf(seed: number, world: AcpWorld): Promise<string | undefined> {
  await using editor = world.rawEditor();
  const late = Promise.withResolvers<"late">();
  const timer = setTimeout(() => late.resolve("late"), deadlineMs);
  const wanted = new Map<string, number>();
  const answered = (): boolean =>
    [...wanted].every(([id, times]) => editor.answersTo(JSON.parse(id)).length >= times);
  try {
    for (const lines of mutatedEditor(seed)) {
      const session = editor.messages.flatMap(
        ({ result }) => sessionSchema.safeParse(result).data?.sessionId ?? [],
      );
      const filled = lines.map((line) =>
        line.replaceAll("$cwd", world.cwd).replaceAll("$session", session[0] ?? "none"),
      );
      for (const id of filled.flatMap(requestIds)) wanted.set(id, (wanted.get(id) ?? 0) + 1);
      await editor.write(`${filled.join("\n")}\n`);
      if ((await Promise.race([editor.until(answered), late.promise])) === "late")
        return `no answer: ${JSON.stringify(filled)}`;
    }
    const exitCode = await Promise.race([editor.leave(), late.promise]);
    const twice = [...wanted].filter(([id, times]) => editor.answersTo(JSON.parse(id)).length !== times);
    if (exitCode !== 0) return `it ended with ${exitCode}`;
    return twice.length === 0 ? undefined : `answered more than once: ${JSON.stringify(twice)}`;
  } finally {
    clearTimeout(timer);
  }
}

function requestIds(line: string): readonly string[] {
  try {
    const { data } = requestSchema.safeParse(JSON.parse(line));
    return data === undefined ? [] : [JSON.stringify(data.id)];
  } catch {
    return [];
  }
}
