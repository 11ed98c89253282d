import type { Attack } from "../attacks.ts";

/** A working folder that somebody sent. */
export const folderAttacks = {
  "folder-bunfig-preload": {
    tries: "a folder's bunfig.toml names a file that runs before the command does",
    seen: "the file does not run",
  },
  "folder-dotenv": {
    tries: "a folder's .env sets INCIPIT_MODEL",
    seen: "the command does not take it for a variable of its user",
  },
} as const satisfies Record<string, Attack>;
