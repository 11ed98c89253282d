import { launchWord } from "./drivers/programs/launcher.ts";

// Imports nothing else, since each program of a tool starts here.
if (process.argv[2] === launchWord) (await import("./drivers/programs/launch.ts")).launch(process.argv.slice(3));
