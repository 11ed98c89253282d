import { join } from "node:path";
import { isBuiltFile } from "../output/built-file.ts";
import { commandText } from "./command-text.ts";

/** How this program came to the machine. */
export interface InstalledWay {
  /** Such as `npm, for every folder`. */
  readonly words: string;
  /** What lies there of it. */
  readonly path: string;
  /** What brings the newest version, for a person to type. */
  readonly update: string;
  /** What takes it away. */
  readonly remove: string;
}

export interface Program {
  readonly isBuilt: boolean;
  /** The built file; of a checkout its root. */
  readonly path: string;
}

export function ownProgram(): Program {
  const path = isBuiltFile ? process.execPath : join(import.meta.dir, "../../../../..");
  return { isBuilt: isBuiltFile, path };
}

interface Kind {
  readonly words: string;
  /** Where it lies, as its first group; the second one is the folder that uses it, where that is another. */
  readonly pattern: RegExp;
  readonly update: (path: string) => string;
  /** `program`: the package with the program, which may have been installed by its own name, too. */
  readonly remove: (path: string, program: string) => string;
}

const removeFolder = (path: string): string => commandText.removeFolder(path);

/** Package managers, by where they put a package; the first that fits. */
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
    // From two tarballs: the program lies beside the command.
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

/** From the path alone: nothing is asked of a package manager, and no variable tells it. */
export function installedWay({ isBuilt, path }: Program): InstalledWay {
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
