import { expect, test } from "bun:test";
import { join } from "node:path";
import * as z from "zod";
import { createCommandWorld, type CommandWorld } from "./command-world.ts";

const schema = { type: "object", properties: { count: { type: "integer" } }, required: ["count"] };
const bodySchema = z.looseObject({ response_format: z.unknown().optional() });

function formats({ model }: CommandWorld): readonly unknown[] {
  return model.requests.map(({ body }) => bodySchema.parse(JSON.parse(body)).response_format);
}

test("--schema prints exactly one matching JSON value, after at most one retry", async () => {
  await using world = await createCommandWorld();
  await Bun.write(join(world.work, "count.json"), JSON.stringify(schema));
  world.model.enqueue(
    { kind: "text", chunks: ['```json\n{"cou', 'nt": 3}\n```'] },
    { kind: "text", chunks: ["Three"] },
    { kind: "text", chunks: ['{"count": 4}'] },
    { kind: "text", chunks: ["Three"] },
    { kind: "text", chunks: ["Four"] },
  );
  const ask = ["--schema", "count.json", "-o", "answer.json", "How many?"];

  const fenced = await world.run(ask);
  const written = await Bun.file(join(world.work, "answer.json")).text();
  const again = await world.run(ask);
  const never = await world.run(ask);

  expect(fenced).toMatchObject({ exitCode: 0, stdout: '{"count": 3}\n' });
  expect(written).toBe('{"count": 3}\n');
  expect(again).toMatchObject({ exitCode: 0, stdout: '{"count": 4}\n' });
  expect(never).toMatchObject({ exitCode: 5, stdout: "", stderr: expect.stringContaining("asked twice") });
  expect(await Bun.file(join(world.work, "answer.json")).text()).toBe('{"count": 4}\n');
  const wanted = { type: "json_schema", json_schema: expect.objectContaining({ name: "answer", schema }) };
  expect(formats(world)).toEqual(Array.from({ length: 5 }, () => wanted));
}, 300_000);

test("an invalid JSON Schema file is rejected with its place before anything is sent", async () => {
  await using world = await createCommandWorld();
  const files = { broken: '{\n  "type": object\n}', list: "[]", colour: '{ "type": "colour" }' };
  for (const [name, text] of Object.entries(files)) await Bun.write(join(world.work, `${name}.json`), text);

  const refused = await Promise.all(
    [...Object.keys(files), "missing"].map((name) => world.run(["--schema", `${name}.json`, "How many?"])),
  );

  expect(refused.map(({ exitCode, stdout }) => [exitCode, stdout])).toEqual(
    Array.from({ length: 4 }, () => [2, ""]),
  );
  const [broken, list, colour, missing] = refused.map(({ stderr }) => stderr);
  expect(broken).toContain(
    `${join(world.work, "broken.json")}" as --schema: it is not JSON from line 2, column 11 on`,
  );
  expect(list).toContain("it has to be a JSON object");
  expect(colour).toContain("colour");
  expect(missing).toContain(`missing.json" as --schema: there is no such file`);
  expect(world.model.requests).toEqual([]);
}, 300_000);

test("--max-cost ends a turn before the call after the limit, with the limit's exit code", async () => {
  await using world = await createCommandWorld({
    provider: ", models.test.prices = { input = 1000000, output = 1000000 }",
    config: "[tools]\nworkspace = true\n",
  });
  const call = (id: string) =>
    ({ kind: "tool-calls", calls: [{ id, name: "list_folder", arguments: "{}" }] }) as const;
  world.model.enqueue(call("a"), call("b"), call("c"));

  const bounded = await world.run(["--max-cost", "40.50", "What is here?"]);
  const count = world.model.requests.length;
  const unpriced = await world.run(["--max-cost", "1", "-m", "local/other", "Hello"]);
  const wrong = await Promise.all(
    ["0", "-1", "free", "2e9"].map((cost) => world.run(["--max-cost", cost, "Hello"])),
  );

  expect(bounded).toMatchObject({ exitCode: 4, stderr: expect.stringContaining("may cost $40.5") });
  expect(count).toBe(2);
  expect(unpriced).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('the price of "local/other" is unknown'),
  });
  expect(wrong.map(({ exitCode }) => exitCode)).toEqual([2, 2, 2, 2]);
  expect(world.model.requests).toHaveLength(2);
}, 300_000);
