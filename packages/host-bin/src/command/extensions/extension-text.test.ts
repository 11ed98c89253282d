import type { ExtensionInfo } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { bareExtension } from "../testing/bare-extension.ts";
import { detailsOf, lineOf, listHeader } from "./extension-text.ts";

const at = "2026-01-02T03:04:05.000Z";
const evil = "broken\n\u001B[2Jcore.shell  1.0.0  active";
const extension: ExtensionInfo = {
  ...bareExtension,
  generation: 3,
  provides: ["weather@1"],
  usedBy: ["acme.report"],
  callsInFlight: 2,
  granted: { storage: true, env: ["X"] },
};
const lastSwap = {
  outcome: "kept-old",
  from: { version: "1.2.0", generation: 3 },
  to: { version: "1.3.0", generation: 4 },
  drained: 1,
  cut: 0,
  tookMs: 7,
  at,
  error: { code: "CODE_FAILED", message: evil },
} as const;

test("lineOf aligns cells with the header and appends remarks", () => {
  const line = lineOf({ ...extension, waitsFor: ["a@1"], refusals: { count: 1, latest: [] }, lastSwap });

  expect(listHeader.replaceAll(/ {2,}/g, (gap) => `<${gap.length}>`)).toBe(
    "id<21>version<2>phase<4>gen<2>since (UTC)<9>calls granted<15>used by",
  );
  expect(listHeader.indexOf("used by")).toBe(line.indexOf("acme.report"));
  expect(listHeader.indexOf("since")).toBe(line.indexOf("2026-01-02 03:04:05"));
  expect(line).toMatch(
    /^acme\.weather +1\.2\.0 +active +#3 .* 2 +env,storage +acme\.report +waits for a@1; 1 refusal; last swap: kept-old$/,
  );
});

test("lineOf ends with why an extension is not running, or with its draining version", () => {
  const lastError = { code: "CODE_FAILED", message: "no luck" } as const;
  const draining = { version: "1.1.0", generation: 2, callsInFlight: 1 };

  expect(lineOf({ ...extension, phase: "failed", lastError })).toEndWith(" no luck");
  expect(lineOf({ ...extension, draining })).toEndWith(" generation 2 drains (1 call)");
});

test("[attack:terminal-extension-error] detailsOf prints one line per row for any error text", () => {
  const plain = detailsOf(extension).split("\n");
  const details = detailsOf({ ...extension, lastError: { code: "CODE_FAILED", message: evil }, lastSwap }).split(
    "\n",
  );

  expect(details).toHaveLength(plain.length + 2);
  expect(details.slice(0, plain.length - 1)).toEqual(plain.slice(0, -1));
  const rows = details.slice(plain.length - 1, -1);
  expect(rows.map((row) => row.slice(0, 17).trim())).toEqual(["last error", "last swap"]);
  for (const row of rows) expect(row).toContain("broken\\n\\u001b[2Jcore.shell");
});

test("detailsOf shows source, permissions and pending dependencies", () => {
  const details = detailsOf({ ...extension, path: null, waitsFor: ["a@1", "b@1"] });

  for (const row of [
    "id               acme.weather\n",
    "from             the host\n",
    "phase            active since 2026-01-02T03:04:05.000Z\n",
    "waits for        a@1, b@1\n",
    "was granted      reads the variable X\n                 stores data without a limit\n",
  ])
    expect(details).toContain(row);
});

test("detailsOf has a row for each present detail only", () => {
  const refusals = { count: 3, latest: [{ code: "CAPABILITY_DENIED", message: "no net", count: 3, at }] };
  const full = {
    ...extension,
    isCodeChanged: true,
    requires: ["a@1", "b@1"],
    uses: ["c@1"],
    contributes: ["d@1"],
    reads: ["e@1"],
    asked: { storage: true as const },
    refusals,
  };
  const namesOf = (text: string): readonly string[] => text.split("\n").map((row) => row.slice(0, 16).trim());

  expect(detailsOf(full).split("\n")).toEqual([
    "id               acme.weather",
    "version          1.2.0",
    "from             /home/ann/weather",
    "code             has changed since it was added; incipit extensions swap acme.weather takes it",
    "trust            standard",
    `phase            active since ${at}`,
    "generation       3",
    "calls in flight  2",
    "provides         weather@1",
    "requires         a@1, b@1",
    "uses             c@1",
    "contributes to   d@1",
    "reads            e@1",
    "used by          acme.report",
    "asks for         stores data without a limit",
    "was granted      reads the variable X",
    "                 stores data without a limit",
    "was refused      3 x no net",
    "",
  ]);
  expect(namesOf(detailsOf({ ...bareExtension }))).toEqual([
    "id",
    "version",
    "from",
    "trust",
    "phase",
    "generation",
    "calls in flight",
    "",
  ]);
});
