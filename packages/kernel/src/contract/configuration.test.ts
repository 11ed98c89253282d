import { expect, test } from "bun:test";
import * as z from "zod";
import { defineConfiguration } from "./configuration.ts";
import { createKernel } from "../lifecycle/create-kernel.ts";
import { drivers } from "../testing/test-kernel.ts";
import { defineExtension, type Extension } from "./extension.ts";
import type { FailureInfo } from "./kernel.ts";

/** Starts the extension with a configuration, and returns its failure. */
async function start(extension: Extension, config: unknown = {}): Promise<FailureInfo | undefined> {
  await using kernel = createKernel({ graceMs: 0, drivers: { ...drivers(), config: () => config } });
  await kernel.add([{ extension }]);
  return kernel.list()[0]?.lastError;
}

const manifest = { id: "acme.weather", version: "1.0.0", api: "^1" } as const;

test("defineConfiguration builds each key once, on the first read", async () => {
  const made: string[] = [];
  const configuration = defineConfiguration({
    settings: () => {
      made.push("settings");
      return { city: z.string().default("Turin") };
    },
  });
  const extension = defineExtension(manifest, { configuration }, () => {});
  expect(made).toEqual([]);

  await start(extension);
  await start(extension);

  expect(made).toEqual(["settings"]);
});

test("defineExtension passes keys, tables, kinds and settings to activate", async () => {
  const given: unknown[] = [];
  const configuration = defineConfiguration({
    keys: () => ({ resume: z.enum(["run", "ask"]).default("run") }),
    tables: () => ({ listen: { port: z.int().default(80), host: z.string().exactOptional() } }),
    kinds: () => ({ providers: { acme: { region: z.string().default("north") }, plain: {} } }),
    settings: () => ({ max_tries: z.int().default(2) }),
  });
  const extension = defineExtension(manifest, { configuration }, (_host, settings) => void given.push(settings));

  await start(extension);
  const config = { listen: { port: 1 }, providers: { a: { kind: "acme" }, b: { kind: "plain" } }, max_tries: 3 };
  await start(extension, config);

  expect(given).toEqual([
    { resume: "run", listen: { port: 80 }, providers: {}, max_tries: 2 },
    {
      resume: "run",
      listen: { port: 1 },
      providers: { a: { kind: "acme", region: "north" }, b: { kind: "plain" } },
      max_tries: 3,
    },
  ]);
});

test("defineExtension does not activate with an unknown key", async () => {
  let isActivated = false;
  const configuration = defineConfiguration({ settings: () => ({ city: z.string().default("Turin") }) });
  const extension = defineExtension(manifest, { configuration }, () => void (isActivated = true));

  for (const config of [{ ctiy: "x" }, { city: 1 }, { providers: { a: { kind: "acme" } } }]) {
    const message = expect.stringContaining('"acme.weather"');
    expect(await start(extension, config)).toMatchObject({ code: "CONFIG_INVALID", message });
  }
  expect(isActivated).toBe(false);
});
