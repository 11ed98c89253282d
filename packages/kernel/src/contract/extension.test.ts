import { expect, test } from "bun:test";
import { defineConfiguration } from "./configuration.ts";
import { defineExtension } from "./extension.ts";

const manifest = { id: "acme.notes", version: "1.0.0", api: "^1" } as const;

test("defineExtension takes the manifest of a package.json, and the package's version where it has none", () => {
  const { version, ...rest } = manifest;

  const own = defineExtension({ version: "9.0.0", incipit: manifest }, () => {});
  const ofPackage = defineExtension(
    { version, incipit: rest },
    { configuration: defineConfiguration({}) },
    () => {},
  );

  expect([own.manifest, ofPackage.manifest]).toEqual([manifest, manifest]);
});

test("defineExtension refuses a package.json whose manifest is wrong", () => {
  expect(() => defineExtension({ version: "1.0.0", incipit: { id: "acme.notes", api: "1" } }, () => {})).toThrow(
    'api is "1", and must be a caret range',
  );
});
