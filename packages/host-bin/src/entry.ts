#!/usr/bin/env bun
// Runs first, without the rest of the code: every program that a tool starts passes through here.
// oxlint-disable-next-line import/no-unassigned-import -- what it does then is all that it is for
import "@incipit/host/launch";

await import("./main.ts");
