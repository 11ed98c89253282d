import type { Attack } from "./attacks.ts";

export const dataFolderAttacks = {
  "data-folder-read-by-path": {
    tries: "whoever was granted every file reads the token, by its path, through links, through /proc/self/root",
    seen: "the file is denied",
  },
  "data-folder-existence": {
    tries: "whoever was granted every file asks for files of the data folder that are not there",
    seen: "denied, as for those that are",
  },
  "data-folder-hard-link": {
    tries: "a file of the working folder is the token under another name",
    seen: "it is known by device and inode, and denied",
  },
  "data-folder-open-file": {
    tries: "a file that the host holds open is read through /proc/self/fd",
    seen: "it is denied",
  },
  "data-folder-moved": {
    tries: "a folder above the data folder gets another name, and the token is read under that one",
    seen: "the folder is known by device and inode, and denied",
  },
  "data-folder-mounted": {
    tries: "the data folder is mounted a second time inside of the working folder",
    seen: "it is known by device and inode, and denied",
  },
  "data-folder-process-environment": {
    tries: "a variable or a tool with every file reads /proc/self/environ",
    seen: "it is denied",
  },
  "data-folder-list": {
    tries: "the data folder, and the folder above it, are listed",
    seen: "the first is denied, the second does not name it",
  },
  "data-folder-write": {
    tries: "a tool writes the token, extensions.json and new files in the data folder, also through links",
    seen: "nothing there is changed or made",
  },
  "data-folder-cwd": {
    tries: "incipit is told to work in the data folder, or in a folder of it",
    seen: "it does not, and says why",
  },
  "data-folder-variable": {
    tries: "a template names the token, with [prompt] read of every file",
    seen: "the variable is blank",
  },
  "data-folder-tools-above": {
    tries:
      "a conversation works in the folder above the data folder: its tools read, search, find, list and write there",
    seen: "nothing of it is told or made",
  },
  "data-folder-database-mode": {
    tries: "another user of the machine reads the database, its log or a copy, where the umask lets everybody",
    seen: "their mode is 600",
  },
  "data-folder-database-widened": {
    tries: "another user reads the log of a database that an older host, or a restored backup, left wider",
    seen: "database, log and index are 600 once a host has opened it",
  },
  "data-folder-database-set-aside": {
    tries: "another user reads a damaged database that was set aside",
    seen: "its mode is 600",
  },
} as const satisfies Record<string, Attack>;
