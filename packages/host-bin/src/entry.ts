#!/usr/bin/env bun
// First of all, and without the rest of the code: each program that a tool starts goes through here.
// oxlint-disable-next-line import/no-unassigned-import -- what it does then is all that it is for
import "@incipit/host/launch";

await import("./main.ts");
