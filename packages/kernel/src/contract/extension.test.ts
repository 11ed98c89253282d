import { expect, test } from "bun:test";
import { defineConfiguration } from "./configuration.ts";
import { defineExtension } from "./extension.ts";

const manifest = { id: "acme.notes", version: "1.0.0", api: "^1" } as const;

test("defineExtension reads manifest and version from a package.json", () => {
  const { version, ...rest } = manifest;

  const own = defineExtension({ version: "9.0.0", incipit: manifest }, () => {});
  const ofPackage = defineExtension(
    { version, incipit: rest },
    { configuration: defineConfiguration({}) },
    () => {},
  );

  expect([own.manifest, ofPackage.manifest]).toEqual([manifest, manifest]);
});

test("defineExtension rejects a package.json with an invalid manifest", () => {
  expect(() => defineExtension({ version: "1.0.0", incipit: { id: "acme.notes", api: "1" } }, () => {})).toThrow(
    'api is "1", and must be a caret range',
  );
});
