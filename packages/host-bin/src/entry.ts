#!/usr/bin/env bun
// Runs first, without the rest of the code: every program that a tool starts passes through here.
// oxlint-disable-next-line import/no-unassigned-import -- imported for its side effect
import "@incipit/host/launch";

await import("./main.ts");
