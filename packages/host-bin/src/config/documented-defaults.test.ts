import { expect, test } from "bun:test";
import { join } from "node:path";
import * as z from "zod";
import { coreSchema } from "./core-schema.ts";
import { parseConfig } from "./parse-config.ts";

const guide = join(import.meta.dir, "../../../../docs/guide");

const defaults: unknown = {
  ...parseConfig(
    '[mcp.servers.x]\ncommand = "x"\n[agents.x]\ncommand = ["x"]\n[cron.jobs.x]\ntask = "x"\nevery = "1h"\n',
    "incipit.toml",
  ),
  extensions: {
    settings: Object.fromEntries(
      coreSchema.ids.map((id) => [id, z.strictObject(coreSchema.settingsShape(id) ?? {}).safeParse({}).data]),
    ),
  },
};

const tables = {
  "configuration.md": "",
  "files.md": "",
  "heartbeat.md": "heartbeat",
  "mcp.md": "mcp.servers.x",
  "other-agents.md": "agents.x",
  "schedules.md": "cron.jobs.x",
  "subagents.md": "subagents",
} as const;

interface Told {
  readonly page: string;
  readonly key: string;
  readonly value: unknown;
}

function literal(text: string): unknown {
  const [, inTicks, number] = /^(?:`([^`]*)`|(\d[\d,]*))$/.exec(text.trim()) ?? [];
  const told = inTicks ?? number?.replaceAll(",", "");
  if (told === undefined) return undefined;
  return /^(?:true|false|\d+(?:\.\d+)?)$/.test(told) ? JSON.parse(told) : told;
}

function toldIn(page: string, text: string): readonly Told[] {
  const found: Told[] = [];
  let hasDefaults = false;
  for (const line of text.split("\n")) {
    const cells = line.split("|").map((cell) => cell.trim());
    if (!line.startsWith("|")) hasDefaults = false;
    else if (cells.at(-2) === "default") hasDefaults = true;
    const key = /^`([\w.]+)`$/.exec(cells[1] ?? "")?.[1];
    const value = hasDefaults ? cells.at(-2) : /\(default ([^)]*)\)/.exec(line)?.[1];
    if (key !== undefined && value !== undefined) found.push({ page, key, value: literal(value) });
  }
  for (const [, key = "", value = ""] of text.matchAll(/`([a-z_.]+)` [^`]*?the default is\s+(\d+|`[^`]*`)/g))
    found.push({ page, key, value: literal(value) });
  return found.filter(({ value }) => value !== undefined);
}

function valueAt(path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, name) => new Map<string, unknown>(Object.entries(Object(value))).get(name), defaults);
}

test("[trial:default-told] the guides document the actual defaults", async () => {
  const wrong: unknown[] = [];
  let count = 0;
  for (const [page, table] of Object.entries(tables))
    for (const { key, value } of toldIn(page, await Bun.file(join(guide, page)).text())) {
      const inForce = valueAt(table === "" ? key : `${table}.${key}`);
      if (inForce === undefined) continue; // Decided by its user, such as the scheduler.
      count += 1;
      if (inForce !== value) wrong.push({ page, key, told: value, inForce });
    }

  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(15);
});
