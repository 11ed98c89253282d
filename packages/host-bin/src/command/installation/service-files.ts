import { existsSync } from "node:fs";
import { join } from "node:path";
import { commandText } from "./command-text.ts";

export interface ServiceFile {
  readonly path: string;
  readonly remove: string;
}

export function serviceFiles(
  home: string,
  { root = "/" }: { readonly root?: string } = {},
): readonly ServiceFile[] {
  const all = [
    {
      path: join(home, ".config/systemd/user/incipit.service"),
      stop: "systemctl --user disable --now incipit",
    },
    { path: join(root, "etc/systemd/system/incipit.service"), stop: "sudo systemctl disable --now incipit" },
    { path: join(home, "Library/LaunchAgents/incipit.plist"), stop: "launchctl bootout gui/$(id -u)/incipit" },
  ];
  return all
    .filter(({ path }) => existsSync(path))
    .map(({ path, stop }) => {
      const remove = commandText.removeFile(path);
      return { path, remove: `${stop}; ${stop.startsWith("sudo ") ? "sudo " : ""}${remove}` };
    });
}
