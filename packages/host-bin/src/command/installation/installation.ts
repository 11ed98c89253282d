import { join } from "node:path";
import { isBuiltFile } from "../output/built-file.ts";
import { commandText } from "./command-text.ts";

export interface Installation {
  readonly words: string;
  readonly path: string;
  readonly update: string;
  readonly remove: string;
}

export interface Program {
  readonly isBuilt: boolean;
  readonly path: string;
}

export function ownProgram(): Program {
  const path = isBuiltFile ? process.execPath : join(import.meta.dir, "../../../../..");
  return { isBuilt: isBuiltFile, path };
}

interface Kind {
  readonly words: string;
  /** Group 1 is the installation, group 2 the folder that uses it, if different. */
  readonly pattern: RegExp;
  readonly update: (path: string) => string;
  /** `program`: the package with the program, which may also have been installed by its own name. */
  readonly remove: (path: string, program: string) => string;
}

const removeFolder = (path: string): string => commandText.removeFolder(path);

const kinds: readonly Kind[] = [
  {
    words: "npx",
    pattern: /^(.*\/_npx\/[^/]+)\//,
    update: () => "npx incipit@latest",
    remove: removeFolder,
  },
  {
    words: "bunx",
    pattern: /^(.*\/bunx-[^/]+)\//,
    update: () => "bunx incipit@latest",
    remove: removeFolder,
  },
  {
    words: "Bun, for every folder",
    pattern: /^(.*\/install\/global\/node_modules\/@?incipit)\//,
    update: () => "bun add -g incipit@latest",
    remove: () => "bun remove -g incipit",
  },
  {
    words: "pnpm, for every folder",
    pattern: /^(.*\/pnpm\/(?:global|store)\/.*\/@?incipit)\//,
    update: () => "pnpm add -g incipit@latest",
    remove: () => "pnpm remove -g incipit",
  },
  {
    words: "pnpm, in one folder",
    pattern: /^((.*?)\/node_modules\/\.pnpm\/.*\/@?incipit)\//,
    update: (path) => `pnpm --dir ${commandText.word(path)} add incipit@latest`,
    remove: (path) => `pnpm --dir ${commandText.word(path)} remove incipit`,
  },
  {
    words: "yarn, for every folder",
    pattern: /^(.*\/yarn\/global\/node_modules\/@?incipit)\//i,
    update: () => "yarn global add incipit@latest",
    remove: () => "yarn global remove incipit",
  },
  {
    words: "npm, for every folder",
    pattern: /^(.*\/(?:lib|npm)\/node_modules\/incipit)\//,
    update: () => "npm install -g incipit@latest",
    remove: () => "npm uninstall -g incipit",
  },
  {
    // Installed from two tarballs: the program is next to the command.
    words: "npm, for every folder",
    pattern: /^(.*\/(?:lib|npm)\/node_modules\/@incipit)\/cli-/,
    update: () => "npm install -g incipit@latest",
    remove: (_, program) => `npm uninstall -g incipit ${program}`,
  },
  {
    words: "npm, in one folder",
    pattern: /^((.*?)\/node_modules\/(?:.*\/)?(?:@incipit(?=\/cli-)|incipit(?=\/bin\/)))\//,
    update: (path) => `npm install --prefix ${commandText.word(path)} incipit@latest`,
    remove: (path, program) =>
      `npm uninstall --prefix ${commandText.word(path)} incipit${program === "" ? "" : ` ${program}`}`,
  },
];

/** Uses the path alone, without package managers or environment variables. */
export function installedWay({ isBuilt, path }: Program): Installation {
  if (!isBuilt)
    return {
      words: "a clone of the repository, with whatever you changed in it",
      path,
      update: `git -C ${commandText.word(path)} pull && bun install --cwd ${commandText.word(path)}`,
      remove: removeFolder(path),
    };
  const slashed = path.replaceAll("\\", "/");
  const [program = ""] = /@incipit\/cli-[^/]+/.exec(slashed) ?? [];
  for (const { words, pattern, update, remove } of kinds) {
    const [, place, user = place] = pattern.exec(slashed) ?? [];
    if (place !== undefined && user !== undefined)
      return { words, path: place, update: update(user), remove: remove(user, program) };
  }
  return {
    words: "a file by itself",
    path,
    update: "npm install -g incipit@latest",
    remove: commandText.removeFile(path),
  };
}
