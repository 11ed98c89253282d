#!/usr/bin/env bun
// Runs first, without the rest of the code: every program that a tool starts passes through here.
// oxlint-disable-next-line import/no-unassigned-import -- imported for its side effect
import "@incipit/host/launch";
import { version } from "./version.ts";

// A version needs none of the commands.
if (process.argv.length === 3 && process.argv[2] === "--version") {
  const { standardStreams } = await import("./command/output/standard-streams.ts");
  standardStreams().outLine(version);
} else await import("./main.ts");
