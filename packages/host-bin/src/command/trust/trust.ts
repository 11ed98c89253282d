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
import { UsageError } from "../registry/usage-error.ts";
import type { OptionsOf } from "../registry/options.ts";
import type { Call } from "../registry/command.ts";
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

export async function showTrust(call: Call<[folder?: string]>): Promise<void> {
  const options = await trustOptions(call);
  show(examined(call.words[0], options), options);
}

export async function addTrust(call: Call<[folder?: string], "trustedFiles" | "sha256">): Promise<number> {
  const options = { ...(await trustOptions(call)), ...call.args };
  return add(examined(call.words[0], options, options.trustedFiles), options);
}

export async function removeTrust(call: Call<[folder?: string]>): Promise<number> {
  return remove(call.words[0] ?? ".", await trustOptions(call));
}

export async function takeBackAllowed(call: Call<[allowed?: string]>): Promise<number> {
  return takeBack(call.words[0], await trustOptions(call));
}

interface ActionOptions {
  readonly store: TrustStore;
  readonly isJson: boolean;
  readonly output: Pick<Output, "out" | "outLine" | "err" | "errLine" | "errWidth" | "hold">;
}

type AddOptions = ActionOptions & OptionsOf<"trustedFiles" | "sha256">;

async function trustOptions({
  args: { isJson },
  output,
  host,
}: Pick<Call, "args" | "output" | "host">): Promise<ActionOptions> {
  const { dataFolder } = await host.load();
  return { store: openTrustStore(dataFolder, output.errLine), isJson, output };
}

function examined(given = ".", { store }: ActionOptions, files: readonly string[] = []): ExaminedFolder {
  const folder = realFolder(given);
  const names = files.map((file) => nameBelow(folder, file));
  return examineFolder(readFolderConfig(folder), { store, schema: coreSchema, names });
}

function show(folder: ExaminedFolder, { store, isJson, output }: ActionOptions): void {
  const trusted = store.folders();
  if (isJson) {
    output.outLine(JSON.stringify({ folder, trusted }));
    return;
  }
  const { path, problem, wishes, sha256 } = folder;
  output.out(`${quoted(path)}\n${fileLines(folder) || "  nothing that needs trust\n"}`);
  if (wishes.length > 0) output.out(`Its configuration\n${wishes.map((wish) => `  - ${wish}\n`).join("")}`);
  if (problem !== undefined) output.out(`Its configuration cannot be taken:\n${indentedLines(problem)}`);
  else if (isOpen(folder))
    output.out(`To trust it as it is now: incipit trust add\n  (without a terminal: --sha256 ${sha256})\n`);
  const others = trusted.map(
    (other) =>
      `  ${quoted(other.path)}  since ${other.trustedAt}: ${Object.keys(other.files)
        .map((name) => quoted(name))
        .join(", ")}\n${allowedLines(other)}`,
  );
  output.out(others.length === 0 ? "No folder is trusted\n" : `Trusted folders\n${others.join("")}`);
}

async function add(folder: ExaminedFolder, options: AddOptions): Promise<number> {
  const { store, isJson, output } = options;
  const { path, files, refused, sha256 } = folder;
  const missing = options.trustedFiles.find(
    (file) => !files.some(({ name }) => resolve(path, name) === realOf(file)),
  );
  if (missing !== undefined) {
    const why =
      refused.find(({ name }) => resolve(path, name) === realOf(missing))?.reason ?? "there is no such file";
    output.errLine(`Cannot trust ${quoted(missing)}: ${why}`);
    return 1;
  }
  const obstacle = obstacleText(folder);
  if (obstacle !== undefined) {
    output.err(obstacle);
    return 1;
  }
  output.err(describeFolderTrust(folder, { width: output.errWidth }));
  if (!(await isConfirmed(folder, options))) return 1;
  trustAsRead(folder, store);
  output.outLine(
    isJson
      ? JSON.stringify({ trusted: store.folder(path), sha256 })
      : `${quoted(path)} is trusted with what it holds now`,
  );
  return 0;
}

/** Without a terminal, requires the hash of the reviewed contents: a script must not agree to unseen content. */
async function isConfirmed({ sha256 }: ExaminedFolder, { sha256: named, output }: AddOptions): Promise<boolean> {
  if (named !== undefined) {
    if (named === sha256) return true;
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

function takeBack(named: string | undefined, { store, isJson, output }: ActionOptions): number {
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
    isJson
      ? JSON.stringify({ takenBack: one.id })
      : `From now on you are asked again about: ${clippedLine(one.grants.join(", "), { maxCharacters: 300 })}`,
  );
  return 0;
}

function remove(given: string, { store, isJson, output }: ActionOptions): number {
  const path = existsSync(given) ? realpathSync(given) : resolve(given);
  if (!store.forget(path)) {
    output.errLine(`${quoted(path)} was not trusted; "incipit trust" lists what is`);
    return 1;
  }
  output.outLine(
    isJson
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
