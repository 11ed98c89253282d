import { DataFolder } from "@incipit/host/data-folder";
import { isInside } from "@incipit/common/system";
import { existsSync, type Stats } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { OwnPlaces } from "../../config/own-places.ts";
import type { Call } from "../registry/command.ts";
import { version } from "../../version.ts";
import { commandText } from "./command-text.ts";
import { installedWay, ownProgram } from "./installation.ts";
import { lstat, readdir } from "node:fs/promises";

interface Piece {
  readonly name: "program" | "service" | "configuration" | "data";
  readonly words: string;
  readonly path: string;
  readonly sizeBytes: number | undefined;
  /** `undefined`: the user has to decide. */
  readonly remove: string | undefined;
}

/** Removes nothing itself. */
export async function uninstall({ args: { isJson }, output: { outLine }, host }: Call): Promise<void> {
  const places = await host.places();
  const state = DataFolder.look(places.dataFolder);
  const holder = state.kind === "held" ? state.holder : undefined;
  const pieces = await piecesOf(places);
  if (isJson) {
    outLine(JSON.stringify({ pieces, host: holder ?? null }));
    return;
  }
  outLine("This is what Incipit has on this machine. Nothing has been removed:");
  for (const { name, words, path, sizeBytes, remove } of pieces) {
    outLine("");
    outLine(`${name}: ${words}${sizeBytes === undefined ? "" : ` (${sizeText(sizeBytes)})`}`);
    outLine(`  ${path}`);
    outLine(`  ${sizeBytes === undefined ? "nothing there" : (remove ?? lookFirst)}`);
  }
  outLine("");
  if (state.kind === "held") {
    const how = holder === undefined ? "" : `, with: ${commandText.endProcess(holder.pid)}`;
    outLine(`A host uses the data folder: end it first${how}`);
  }
  outLine("Folders that you worked in may have an incipit.toml, AGENTS.md or .agents:");
  outLine("those are the folders' own, and stay");
}

const lookFirst = "other things may be there, too: look which are Incipit's, and remove those";

const marks = ["incipit.db", "host.lock"];

/** Ordered for removal: first those that would restart a host, last those that refer to the others. */
async function piecesOf(places: OwnPlaces): Promise<readonly Piece[]> {
  const { dataFolder, file, ownFolder } = places;
  const home = process.env["HOME"] || homedir();
  const program = installedWay(ownProgram());
  const isData = marks.some((name) => existsSync(join(dataFolder, name)));
  const isShared = dataFolder === home || isInside(home, dataFolder);
  const pieces: readonly Omit<Piece, "sizeBytes">[] = [
    ...serviceFiles(home).map((service) => ({
      name: "service" as const,
      words: "starts a host by itself",
      ...service,
    })),
    {
      name: "data",
      words: "conversations with their records, and the token; there is no other copy",
      path: dataFolder,
      remove: isData && !isShared ? commandText.removeFolder(dataFolder) : undefined,
    },
    ...(file === undefined || dirname(file) === ownFolder
      ? []
      : [
          {
            name: "configuration" as const,
            words: "the file that was named",
            path: file,
            remove: commandText.removeFile(file),
          },
        ]),
    {
      name: "configuration",
      words: "incipit.toml, and agents and skills of your own",
      path: ownFolder,
      remove: commandText.removeFolder(ownFolder),
    },
    {
      name: "program",
      words: `incipit ${version}, from ${program.words}`,
      path: program.path,
      remove: program.remove,
    },
  ];
  return Promise.all(pieces.map(async (piece) => ({ ...piece, sizeBytes: await sizeOf(piece.path) })));
}

/** Follows no links. Unreadable files count as 0. */
async function sizeOf(path: string): Promise<number | undefined> {
  const found = await lstat(path).catch(() => undefined);
  return found === undefined ? undefined : await sizeBelow(path, found);
}

async function sizeBelow(path: string, found: Stats): Promise<number> {
  if (!found.isDirectory()) return found.size;
  const names = await readdir(path).catch(() => []);
  const sizes = names.map(async (name) => await sizeOf(join(path, name)));
  return (await Promise.all(sizes)).reduce<number>((sum, size = 0) => sum + size, 0);
}

const units = ["bytes", "KB", "MB", "GB"] as const;

function sizeText(sizeBytes: number): string {
  let rest = sizeBytes;
  let unit: (typeof units)[number] = "bytes";
  for (const next of units.slice(1)) {
    if (rest < 1_000) break;
    rest /= 1_000;
    unit = next;
  }
  return `${unit === "bytes" || rest >= 10 ? Math.round(rest) : rest.toFixed(1)} ${unit}`;
}

interface ServiceFile {
  readonly path: string;
  readonly remove: string;
}

function serviceFiles(home: string, { root = "/" }: { readonly root?: string } = {}): readonly ServiceFile[] {
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
