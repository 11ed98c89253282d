import { expect, test } from "bun:test";
import type { Grant } from "../contract/capabilities.ts";
import { effectiveGrant } from "./effective-grant.ts";

test("effectiveGrant returns the intersection of both sides", () => {
  const cases: readonly (readonly [declared: Grant, granted: Grant, effective: Grant])[] = [
    [
      { net: true, env: ["A"] },
      { net: ["a:1"], env: true },
      { net: ["a:1"], env: ["A"] },
    ],
    [{ spawn: ["git", "sh"] }, { spawn: ["sh", "rm"], listen: true }, { spawn: ["sh"] }],
    [
      { fs: { read: ["$cwd", "/etc/motd"] } },
      { fs: { read: ["$cwd/sub", "/etc", "/var"], write: ["$cwd"] } },
      { fs: { read: ["$cwd/sub", "/etc/motd"] } },
    ],
    [{ net: ["Api.acme.dev:443", "b:1"] }, { net: ["api.acme.dev:443"] }, { net: ["api.acme.dev:443"] }],
    [{ net: ["a:8080"] }, { net: ["a:443"] }, { net: [] }],
    [{ net: ["private:a:1"] }, { net: ["a:1"] }, { net: ["a:1"] }],
    [{ net: ["a:1"] }, { net: ["private:a:1"] }, { net: ["a:1"] }],
    [{ net: ["private:a:1"] }, { net: ["private:a:1"] }, { net: ["private:a:1"] }],
    [{ net: true }, { net: ["private:a:1"] }, { net: ["private:a:1"] }],
    [{ storage: true }, { storage: true }, { storage: true }],
    [{ storage: true }, { storage: { maxBytes: 5 } }, { storage: { maxBytes: 5 } }],
    [
      { storage: { namespaces: ["a", "b"], maxBytes: 5 } },
      { storage: { namespaces: ["b", "c"], maxBytes: 7 } },
      { storage: { namespaces: ["b"], maxBytes: 5 } },
    ],
    [
      { storage: { maxBytes: 9 } },
      { storage: { namespaces: ["c"] } },
      { storage: { namespaces: ["c"], maxBytes: 9 } },
    ],
    [{ system: true }, { system: true }, { system: true }],
    [{ system: true }, { listen: true }, {}],
    [{}, { system: true, storage: true, fs: true, uses: ["a@1"], reads: ["a@1"] }, {}],
    [{ uses: ["a@1", "b@1"], reads: ["a@1"] }, { uses: ["b@1", "c@1"] }, { uses: ["b@1"] }],
    [{ provides: ["a@1"], contributes: ["a@1"] }, { provides: ["a@1"], uses: ["a@1"] }, { provides: ["a@1"] }],
    [
      { contributes: ["a@1"], reads: ["a@1"] },
      { contributes: ["a@1"], reads: [] },
      { contributes: ["a@1"], reads: [] },
    ],
  ];

  for (const [declared, granted, effective] of cases) {
    expect({ declared, granted, effective: effectiveGrant(declared, granted) }).toEqual({
      declared,
      granted,
      effective,
    });
  }
});
