import type { ExtensionInfo } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { bareExtension } from "../testing/bare-extension.ts";
import { drawGraph } from "./extensions.ts";

test("drawGraph lists dependencies under each extension with providers and missing ones", () => {
  const weather = {
    ...bareExtension,
    id: "acme.weather",
    provides: ["weather@1"],
    contributes: ["facts@1"],
    generation: 2,
  };
  const report: ExtensionInfo = {
    ...bareExtension,
    id: "acme.report",
    phase: "waiting",
    requires: ["weather@1", "gone@1", "host-defaults@1"],
    waitsFor: ["gone@1"],
    uses: ["weather@1", "extras@1"],
    reads: ["facts@1", "nothing@1"],
  };
  const other = { ...weather, id: "other.weather", contributes: [], generation: 1 };

  expect(drawGraph([weather, report, other]).split("\n")).toEqual([
    "acme.weather #2",
    "acme.report (waiting)",
    "  ├── weather@1  acme.weather, other.weather",
    "  ├── gone@1  nobody provides it!",
    "  ├── host-defaults@1  (the host itself)",
    "  ├┄┄ weather@1  acme.weather, other.weather",
    "  ├┄┄ extras@1  (the host itself, or nobody)",
    "  ├<- facts@1  acme.weather",
    "  └<- nothing@1  (nobody)",
    "other.weather #1",
    "── requires   ┄┄ uses when there   <- reads what is contributed",
    "",
  ]);
});
