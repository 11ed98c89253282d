import { expect, test } from "bun:test";
import { join } from "node:path";
import { auditScenes } from "./audit-scenes.ts";
import { terminalSvg } from "./terminal-svg.ts";

test("the recording in the README is the current output, with byte and cost", async () => {
  const kept = await Bun.file(join(import.meta.dir, "../../docs/images/audit.svg")).text();
  const [, title = ""] = /aria-label="([^"]*)"/.exec(kept) ?? [];

  const made = terminalSvg(await auditScenes(), title);

  expect(made).toBe(kept);
  for (const fact of ["at byte 125 of the request", "It cost about $0.0", "Cache breaks cost about $0.0"])
    expect(kept).toContain(fact);
}, 300_000);
