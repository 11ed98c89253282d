import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Grant } from "../contract/capabilities.ts";
import { effectiveGrant } from "./effective-grant.ts";
import { grantDifference } from "./grant-difference.ts";

test("grantDifference returns requests beyond the grant", () => {
  const cases: readonly (readonly [asked: Grant, granted: Grant, difference: Grant])[] = [
    [{}, {}, {}],
    [{ spawn: ["git"], env: ["A"] }, { spawn: ["git"], env: true }, {}],
    [{ spawn: ["git", "sh"], env: ["A"] }, { spawn: ["git"] }, { spawn: ["sh"], env: ["A"] }],
    [{ spawn: true }, { spawn: ["git"] }, { spawn: true }],
    [{ spawn: [], net: [], env: [], fs: { read: [] }, storage: { namespaces: [] } }, {}, {}],
    [{ fs: { read: ["$cwd/sub", "/etc/motd"] } }, { fs: { read: ["$cwd", "/etc"] } }, {}],
    [
      { fs: { read: ["$cwd", "/etcetera", "/etc/../root"], write: ["$cwd"] } },
      { fs: { read: ["$cwd/sub", "/etc", "/"] } },
      { fs: { read: ["$cwd", "/etc/../root"], write: ["$cwd"] } },
    ],
    [{ fs: { read: ["/a"], write: ["/b"] } }, { fs: { read: ["/a"] } }, { fs: { write: ["/b"] } }],
    [{ fs: { read: ["/a"], write: ["/b"] } }, { fs: { write: ["/b"] } }, { fs: { read: ["/a"] } }],
    [{ fs: true }, { fs: { read: ["/"], write: ["/"] } }, { fs: true }],
    [{ net: ["A:1", "private:b:1", "c:1"] }, { net: ["a:1", "b:1", "private:c:1"] }, { net: ["private:b:1"] }],
    [{ storage: true }, { storage: { maxBytes: 5 } }, { storage: true }],
    [{ storage: { maxBytes: 5 } }, { storage: true }, {}],
    [{ storage: true }, { storage: {} }, {}],
    [
      { storage: { maxBytes: 6, namespaces: ["a"] } },
      { storage: { maxBytes: 5 } },
      { storage: { maxBytes: 6, namespaces: ["a"] } },
    ],
    [
      { storage: { namespaces: ["a", "b"] } },
      { storage: { namespaces: ["a"] } },
      { storage: { namespaces: ["b"] } },
    ],
    [{ storage: { maxBytes: 5 } }, { storage: { namespaces: ["a"] } }, { storage: { maxBytes: 5 } }],
    [{ listen: true, system: true }, { listen: true }, { system: true }],
    [{ uses: ["a@1", "b@1"], provides: [] }, { uses: ["b@1", "c@1"] }, { uses: ["a@1"] }],
    [{ contributes: ["a@1"], reads: ["a@1"] }, { reads: ["a@1"] }, { contributes: ["a@1"] }],
    [
      { provides: ["a@1"], reads: ["a@1"] },
      { uses: ["a@1"], contributes: ["a@1"] },
      { provides: ["a@1"], reads: ["a@1"] },
    ],
  ];

  for (const [asked, granted, difference] of cases)
    expect({ asked, granted, difference: grantDifference(asked, granted) }).toEqual({ asked, granted, difference });
});

const names = (...values: readonly string[]): fc.Arbitrary<true | string[]> =>
  fc.oneof(fc.constant(true as const), fc.subarray([...values]));
const capabilities: fc.Arbitrary<Grant> = fc.record(
  {
    fs: fc.record({ read: fc.subarray(["$cwd", "$cwd/a", "/", "/etc", "/etc/motd"]) }, { requiredKeys: [] }),
    spawn: names("git", "sh"),
    net: names("a:1", "A:1", "private:a:1", "b:1"),
    storage: fc.oneof(
      fc.constant(true as const),
      fc.record(
        { namespaces: fc.subarray(["a", "b"]), maxBytes: fc.integer({ min: 1, max: 3 }) },
        { requiredKeys: [] },
      ),
    ),
    system: fc.constant(true as const),
    uses: fc.subarray(["a@1", "b@1"]),
    provides: fc.subarray(["a@1", "b@1"]),
    contributes: fc.subarray(["a@1", "b@1"]),
    reads: fc.subarray(["a@1", "b@1"]),
  },
  { requiredKeys: [] },
);

test("grantDifference is empty for the result of effectiveGrant", () => {
  const property = fc.property(capabilities, capabilities, (declared, granted) => {
    const effective = effectiveGrant(declared, granted);

    expect(grantDifference(effective, declared)).toEqual({});
    expect(grantDifference(effective, granted)).toEqual({});
    expect(grantDifference(declared, declared)).toEqual({});
  });
  fc.assert(property, { numRuns: 1_000 });
});
