import { launchWord } from "./drivers/programs/launcher.ts";

// Without the rest of the code: each program that a tool starts goes through here.
if (process.argv[2] === launchWord) (await import("./drivers/programs/launch.ts")).launch(process.argv.slice(3));
