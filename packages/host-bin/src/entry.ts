#!/usr/bin/env bun
import { launchWord } from "./drivers/programs/launcher.ts";

// First of all, and without the rest of the code: each program that a tool starts goes through here.
if (process.argv[2] === launchWord) (await import("./drivers/programs/launch.ts")).launch(process.argv.slice(3));
await import("./main.ts");
