import { expect, test } from "bun:test";
import * as z from "zod";
import { World } from "../support/world.ts";

const schema = { type: "object", properties: { count: { type: "integer" } }, required: ["count"] };
const bodySchema = z.looseObject({ response_format: z.unknown().optional() });

function formats({ bodies }: World): readonly unknown[] {
  return bodies.map((body) => bodySchema.parse(JSON.parse(body)).response_format);
}

test("--schema prints exactly one matching JSON value, after at most one retry", async () => {
  await using world = await World.start({ files: { "count.json": JSON.stringify(schema) } });
  world.model.enqueue({ kind: "text", chunks: ['```json\n{"cou', 'nt": 3}\n```'] });
  world.model.enqueueText("Three", '{"count": 4}', "Three", "Four");
  const ask = ["--schema", "count.json", "-o", "answer.json", "How many?"];

  const fenced = await world.run(ask);
  const written = await world.read("answer.json");
  const again = await world.run(ask);
  const never = await world.run(ask);

  expect(fenced).toMatchObject({ exitCode: 0, stdout: '{"count": 3}\n' });
  expect(written).toBe('{"count": 3}\n');
  expect(again).toMatchObject({ exitCode: 0, stdout: '{"count": 4}\n' });
  expect(never).toMatchObject({ exitCode: 5, stdout: "", stderr: expect.stringContaining("asked twice") });
  expect(await world.read("answer.json")).toBe('{"count": 4}\n');
  const wanted = { type: "json_schema", json_schema: expect.objectContaining({ name: "answer", schema }) };
  expect(formats(world)).toEqual(Array.from({ length: 5 }, () => wanted));
}, 300_000);

test("an invalid JSON Schema file is rejected with its place before anything is sent", async () => {
  const files = {
    "broken.json": '{\n  "type": object\n}',
    "list.json": "[]",
    "colour.json": '{ "type": "colour" }',
  };
  await using world = await World.start({ files });

  const refused = await Promise.all(
    [...Object.keys(files), "missing.json"].map((name) => world.run(["--schema", name, "How many?"])),
  );

  expect(refused.map(({ exitCode, stdout }) => [exitCode, stdout])).toEqual(
    Array.from({ length: 4 }, () => [2, ""]),
  );
  const [broken, list, colour, missing] = refused.map(({ stderr }) => stderr);
  expect(broken).toContain(`${world.path("broken.json")}" as --schema: it is not JSON from line 2, column 11 on`);
  expect(list).toContain("it has to be a JSON object");
  expect(colour).toContain("colour");
  expect(missing).toContain(`missing.json" as --schema: there is no such file`);
  expect(world.model.requests).toEqual([]);
}, 300_000);

test("--max-cost ends a turn before the call after the limit, with the limit's exit code", async () => {
  await using world = await World.start({
    config: "tools.workspace = true",
    facts: "prices = { input = 1000000, output = 1000000 }",
  });
  for (let count = 0; count < 3; count += 1) world.model.enqueueCall("list_folder");

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
