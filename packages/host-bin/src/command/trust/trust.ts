import { existsSync, realpathSync } from "node:fs";
import { relative, resolve } from "node:path";
import { quoted } from "@incipit/cli-text";
import { clippedLine } from "@incipit/schema/text";
import { isInside } from "@incipit/common/system";
import {
  type ExaminedFolder,
  examineFolder,
  openTrustStore,
  readFolderConfig,
  type TrustStore,
} from "@incipit/host/trust";
import { UsageError, type Arguments } from "../arguments/arguments.ts";
import { checkBeginning } from "../arguments/check-beginning.ts";
import { isAgreed } from "../questions/is-agreed.ts";
import type { Output } from "../output/output.ts";
import { isAtTerminal } from "../terminal/terminal-input.ts";
import {
  allowedLines,
  fileLines,
  describeFolderTrust,
  indentedLines,
  isOpen,
  obstacleText,
} from "./folder-text.ts";
import { realFolder, trustAsRead } from "./folder-trust.ts";
import { coreSchema } from "../../config/core-schema.ts";

interface TrustOptions {
  readonly dataFolder: string;
  readonly args: Arguments;
  readonly output: Pick<Output, "out" | "outLine" | "err" | "errLine" | "errWidth" | "hold">;
}

export async function trust({ dataFolder, args, output }: TrustOptions): Promise<number> {
  const [action = "show", given = ".", stray] = args.words;
  if (stray !== undefined)
    throw new UsageError(`"incipit trust ${action}" takes no ${quoted(stray)}: name one folder`);
  if (action !== "add" && (args.files.length > 0 || args.sha256 !== undefined))
    throw new UsageError('"--file" and "--sha256" mean something to "incipit trust add" alone');
  const store = openTrustStore(dataFolder, output.errLine);
  if (action === "take-back") return takeBack(args.words[1], { store, args, output });
  if (action === "remove") return remove(given, { store, args, output });
  if (action !== "show" && action !== "add")
    throw new UsageError(
      `There is no "incipit trust ${action}"; there are "show", "add" and "remove", each with a folder or without, and "take-back" with what was allowed`,
    );
  const folder = realFolder(given);
  const names = args.files.map((file) => nameBelow(folder, file));
  const examined = examineFolder(readFolderConfig(folder), { store, schema: coreSchema, names });
  return action === "add" ? add(examined, { store, args, output }) : show(examined, { store, args, output });
}

interface ActionOptions {
  readonly store: TrustStore;
  readonly args: Arguments;
  readonly output: Pick<Output, "out" | "outLine" | "err" | "errLine" | "errWidth" | "hold">;
}

function show(examined: ExaminedFolder, { store, args, output }: ActionOptions): number {
  const trusted = store.folders();
  if (args.isJson) {
    output.outLine(JSON.stringify({ folder: examined, trusted }));
    return 0;
  }
  const { path, problem, wishes, sha256 } = examined;
  output.out(`${quoted(path)}\n${fileLines(examined) || "  nothing that needs trust\n"}`);
  if (wishes.length > 0) output.out(`Its configuration\n${wishes.map((wish) => `  - ${wish}\n`).join("")}`);
  if (problem !== undefined) output.out(`Its configuration cannot be taken:\n${indentedLines(problem)}`);
  else if (isOpen(examined))
    output.out(`To trust it as it is now: incipit trust add\n  (without a terminal: --sha256 ${sha256})\n`);
  const others = trusted.map(
    (folder) =>
      `  ${quoted(folder.path)}  since ${folder.trustedAt}: ${Object.keys(folder.files)
        .map((name) => quoted(name))
        .join(", ")}\n${allowedLines(folder)}`,
  );
  output.out(others.length === 0 ? "No folder is trusted\n" : `Trusted folders\n${others.join("")}`);
  return 0;
}

async function add(examined: ExaminedFolder, { store, args, output }: ActionOptions): Promise<number> {
  const { path, files, refused, sha256 } = examined;
  const missing = args.files.find((file) => !files.some(({ name }) => resolve(path, name) === realOf(file)));
  if (missing !== undefined) {
    const why =
      refused.find(({ name }) => resolve(path, name) === realOf(missing))?.reason ?? "there is no such file";
    output.errLine(`Cannot trust ${quoted(missing)}: ${why}`);
    return 1;
  }
  const obstacle = obstacleText(examined);
  if (obstacle !== undefined) {
    output.err(obstacle);
    return 1;
  }
  output.err(describeFolderTrust(examined, { width: output.errWidth }));
  if (!(await isConfirmed(examined, { args, output }))) return 1;
  trustAsRead(examined, store);
  output.outLine(
    args.isJson
      ? JSON.stringify({ trusted: store.folder(path), sha256 })
      : `${quoted(path)} is trusted with what it holds now`,
  );
  return 0;
}

/** Without a terminal, requires the hash of the reviewed contents: a script must not agree to unseen content. */
async function isConfirmed(
  { sha256 }: ExaminedFolder,
  { args, output }: Pick<ActionOptions, "args" | "output">,
): Promise<boolean> {
  if (args.sha256 !== undefined) {
    if (args.sha256 === sha256) return true;
    output.errLine(`Nothing was changed: what it holds now is ${sha256}, and not what "--sha256" names`);
    return false;
  }
  if (await isAgreed("Trust it, with what it holds now? [y/N] ", output)) return true;
  const how = isAtTerminal()
    ? ""
    : `: there is no terminal to ask at. "--sha256 ${sha256}" trusts what is shown here`;
  output.errLine(`Nothing was changed${how}`);
  return false;
}

function takeBack(named: string | undefined, { store, args, output }: ActionOptions): number {
  if (named !== undefined) checkBeginning(named, { names: "the id of what was allowed", toSee: "incipit trust" });
  const all = store.folders().flatMap(({ allowed }) => allowed);
  const [one, other] = all.filter(({ id }) => named !== undefined && id.startsWith(named));
  if (one === undefined || other !== undefined) {
    const lines = store
      .folders()
      .flatMap((folder) =>
        folder.allowed.length === 0 ? [] : [`\n  ${quoted(folder.path)}\n${allowedLines(folder).trimEnd()}`],
      );
    throw new UsageError(
      all.length === 0
        ? "Nothing is allowed for good in any folder"
        : `Which one? Write: incipit trust take-back ALLOWED${lines.join("")}`,
    );
  }
  store.takeBack(one.id);
  output.outLine(
    args.isJson
      ? JSON.stringify({ takenBack: one.id })
      : `From now on you are asked again about: ${clippedLine(one.grants.join(", "), { maxCharacters: 300 })}`,
  );
  return 0;
}

function remove(given: string, { store, args, output }: ActionOptions): number {
  const path = existsSync(given) ? realpathSync(given) : resolve(given);
  if (!store.forget(path)) {
    output.errLine(`${quoted(path)} was not trusted; "incipit trust" lists what is`);
    return 1;
  }
  output.outLine(
    args.isJson
      ? JSON.stringify({ removed: path })
      : `${quoted(path)} is not trusted any more. A host that runs with its configuration does so until it ends`,
  );
  return 0;
}

function realOf(file: string): string {
  return existsSync(file) ? realpathSync(file) : resolve(file);
}

function nameBelow(folder: string, file: string): string {
  const path = realOf(file);
  if (!isInside(path, folder)) throw new UsageError(`--file: ${quoted(path)} is not below ${quoted(folder)}`);
  return relative(folder, path);
}
