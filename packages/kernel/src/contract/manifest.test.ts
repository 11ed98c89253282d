import { expect, test } from "bun:test";
import type { KernelError } from "../failures/kernel-error.ts";
import { parseManifest } from "./manifest.ts";

function parse(capabilities: unknown): unknown {
  try {
    return parseManifest({ id: "acme.notes", version: "1.0.0", api: "^1", capabilities }).capabilities;
  } catch (error) {
    return error;
  }
}

test("parseManifest accepts each capability as true or narrowed", () => {
  for (const capabilities of [
    { fs: true, spawn: true, net: true, env: true, storage: true, listen: true, system: true },
    {
      fs: { read: ["$cwd", "/etc/motd", "C:\\Users\\ada", "d:/data"], write: ["$cwd/out"] },
      spawn: ["git", "/usr/bin/env"],
      net: ["api.acme.dev:443", "private:nas.lan:80", "[::1]:8080"],
      env: ["X"],
      storage: { namespaces: ["notes"], maxBytes: 1_048_576 },
    },
    { storage: {} },
  ])
    expect(parse(capabilities)).toEqual(capabilities);
});

test("parseManifest names an unknown key and the allowed keys", () => {
  expect(parse({ storage: { quota: 1 }, network: true })).toMatchObject({
    message: expect.stringContaining('has the unknown key "network"; it can have fs, spawn, net'),
  });
  expect(parse("everything")).toMatchObject({
    message: expect.stringContaining("must be an object with fs, spawn"),
  });
});

test("parseManifest rejects an empty or invalid narrowing and names its key", () => {
  const cases: readonly (readonly [capabilities: unknown, key: string])[] = [
    [{ fs: { read: ["data", "C:data"] } }, "capabilities.fs"],
    [{ fs: { read: ["C:\\Users\\..\\data"] } }, "capabilities.fs"],
    [{ storage: false }, "capabilities.storage"],
    [{ storage: { maxBytes: 0 } }, "capabilities.storage"],
    [{ storage: { maxBytes: 1.5 } }, "capabilities.storage"],
    [{ storage: { namespaces: ["../other"] } }, "capabilities.storage"],
    [{ storage: { quota: 1 } }, "capabilities.storage"],
    [{ system: ["fs"] }, "capabilities.system"],
    [{ net: ["private:nas.lan"] }, "capabilities.net"],
    [{ net: ["http://nas.lan:80"] }, "capabilities.net"],
  ];

  for (const [capabilities, key] of cases)
    expect(parse(capabilities)).toMatchObject({
      code: "MANIFEST_INVALID",
      message: expect.stringContaining(key),
    } satisfies Partial<KernelError>);
});

test("parseManifest names the extension, the actual value and the rule", () => {
  const messageOf = (manifest: unknown): string => {
    try {
      parseManifest(manifest);
      return "";
    } catch (error) {
      return error instanceof Error ? error.message : "";
    }
  };
  const notes = { id: "acme.notes", version: "1.0.0", api: "^1" };

  expect(messageOf({ ...notes, capabilities: { listen: "yes" }, swap: null })).toBe(
    'Cannot load "acme.notes": capabilities.listen is "yes", and must be true or omitted; swap is null, and must be "overlap" or "exclusive"',
  );
  expect(messageOf({ ...notes, api: undefined })).toBe(
    'Cannot load "acme.notes": api is missing, and must be a caret range, such as "^1"',
  );
  expect(messageOf(null)).toStartWith(
    'Cannot load "(no id)": the manifest is null, and must be an object with id,',
  );
});
