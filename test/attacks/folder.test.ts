import { join } from "node:path";
import { incipit, mainPath } from "../host-process.ts";
import { attack } from "./attack.ts";

attack("folder-bunfig-preload", {
  async attempt({ command, folder, isControl }) {
    await Bun.write(join(folder, "preload.ts"), `require("node:fs").writeFileSync("ran", "")`);
    await Bun.write(join(folder, "bunfig.toml"), `preload = ["./preload.ts"]`);
    const run = isControl ? [process.execPath, mainPath] : command;
    await incipit(["--version"], { cwd: folder, home: folder, command: run });
    return Bun.file(join(folder, "ran")).exists();
  },
  held: false,
  bites: true,
});

attack("folder-dotenv", {
  async attempt({ command, folder, isControl }) {
    await Bun.write(join(folder, ".env"), "INCIPIT_MODEL=nobody/nothing\n");
    const env = isControl ? { INCIPIT_MODEL: "nobody/nothing" } : {};
    const { stderr } = await incipit(["hello"], { cwd: folder, home: folder, command, env });
    return stderr.includes("nobody");
  },
  held: false,
  bites: true,
});
