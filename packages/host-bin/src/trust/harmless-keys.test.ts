import { expect, test } from "bun:test";
import { join } from "node:path";
import { mergeLayers, readLayer, valueAt } from "@incipit/host/configuration";
import { parseConfig } from "../config/parse-config.ts";
import { coreSchema } from "../config/core-schema.ts";
import { harmlessKeys, splitHarmless, type SplitTable } from "@incipit/host/trust";

function split(text: string): SplitTable {
  return splitHarmless(readLayer(text, { file: "incipit.toml" }).table);
}

test("splitHarmless accepts only keys that restrict the host, and names the rest", () => {
  expect(split("resume = 'ask'\ntools.workspace = false")).toEqual({
    harmless: { resume: "ask", tools: { workspace: false } },
    leftOut: [],
  });
  expect(
    split("model = 'a/b'\nresume = 'run'\n[tools]\nworkspace = true\n[mcp.servers.files]\ncommand = 'x'"),
  ).toEqual({
    harmless: {},
    leftOut: ["model", "resume", "tools.workspace", "mcp.servers.files"],
  });
});

test("harmlessKeys match the guide, each with its reason", async () => {
  const guide = await Bun.file(join(import.meta.dir, "../../../../docs/guide/configuration.md")).text();

  const rows = [...guide.matchAll(/^\| `([a-z._]+) = (.*)` \| (.*) \|$/gm)].map((row) => row.slice(1));

  expect(rows).toEqual(harmlessKeys.map(({ path, value, why }) => [path.join("."), JSON.stringify(value), why]));
});

test("splitHarmless rejects all other keys", async () => {
  const example = join(import.meta.dir, "../../../../config.example.toml");
  const text = (await Bun.file(example).text()).replaceAll(/^# (\[|[a-z_]+ = )/gm, "$1");
  const { table } = readLayer(text, { file: example });

  const { harmless, leftOut } = splitHarmless(table);

  expect(Object.keys(harmless).length).toBeLessThanOrEqual(harmlessKeys.length);
  for (const { path, value } of harmlessKeys)
    expect(valueAt(harmless, path)).toBe(valueAt(table, path) === value ? value : undefined);
  for (const key of Object.keys(table).filter((name) => !Object.hasOwn(harmless, name)))
    expect(leftOut.some((name) => name === key || name.startsWith(`${key}.`))).toBe(true);
});

test("[attack:folder-hides-records] splitHarmless lets a folder disable none of the user's records", () => {
  const text = "[records]\nrequests = false\nkeep_days = 0.001\nkeep_megabytes = 0.001\nredact = []";

  expect(split(text)).toEqual({
    harmless: {},
    leftOut: ["records.requests", "records.keep_days", "records.keep_megabytes", "records.redact"],
  });
  expect(parseConfig(text, "f").records["requests"]).toBe(false);
});

test("[attack:folder-proto-keys] splitHarmless and mergeLayers treat names of object properties as plain keys", () => {
  const own = readLayer("tools.workspace = true", { file: "own" });
  for (const name of ["__proto__", "constructor", "prototype"]) {
    const text = `[${name}]\nresume = "ask"\n[tools.${name}]\nworkspace = false\n[${name}.tools]\nworkspace = false`;
    const layer = readLayer(text, { file: "folder" });

    const { harmless } = splitHarmless(layer.table);

    expect(harmless).toEqual({});
    expect(
      Reflect.get(mergeLayers([own, { ...layer, table: harmless }], coreSchema.whole), "resume"),
    ).toBeUndefined();
    expect(Reflect.get({}, "resume")).toBeUndefined();
    expect(() => parseConfig(text, "folder")).toThrow("is unknown");
  }
});
