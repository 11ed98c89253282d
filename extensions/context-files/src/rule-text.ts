import { repositoryFolders } from "@incipit/common";
import type { FileSystem } from "@incipit/kernel";
import { type AbsentReason, encodingLabel } from "@incipit/schema";
import type {
  FolderTrust,
  LeftOutVariableFile,
  PromptVariableContext,
  VariableAnswer,
} from "@incipit/service-contract";
import { basename, dirname, join } from "node:path";
import { ImportExpander, type ToldRule } from "./import-expander.ts";
import {
  RuleFiles,
  fileTimeoutMs,
  leftOut,
  maxBytes,
  trustWords,
  type RuleFile,
  type RuleRead,
} from "./rule-files.ts";
import { hasImports, type RuleKind } from "./rule-kinds.ts";

export interface RuleTextOptions extends PromptVariableContext {
  readonly fs: Pick<FileSystem, "list" | "readFile" | "readFolder">;
  readonly trust: FolderTrust | undefined;
  readonly userFolder: string | undefined;
}

const maxNamedLeftOut = 100;

/**
 * The user's file comes first, the nearest last. A single file stays unchanged; several are separated by a blank
 * line. When space is short, the nearest take precedence.
 */
export async function ruleText(kind: RuleKind, options: RuleTextOptions): Promise<VariableAnswer> {
  const { fs, trust, cwd, userFolder, untrusted = "allow", signal } = options;
  const listed = await fs.list(".", { cwd, maxEntries: 0, timeoutMs: fileTimeoutMs, signal });
  signal.throwIfAborted();
  if (listed.kind === "absent") return { absent: "not-found" };
  const nearest = await repositoryFolders(listed.path, { fs, timeoutMs: fileTimeoutMs, signal });
  const folders = nearest.toReversed();
  const [root = cwd] = folders;
  const files = new RuleFiles({ fs, trust, untrusted, signal });
  const [ofUser, ...ofFolders] = await Promise.all([
    kind.userName === undefined || userFolder === undefined
      ? undefined
      : files.read(join(userFolder, kind.userName), "/"),
    ...folders.map((folder) => readFolder(kind, folder, { files, root })),
  ]);
  const left: LeftOutVariableFile[] = [];
  const take = (read: RuleRead): readonly RuleFile[] => {
    if (read.kind === "read") return [read.file];
    left.push(read.leftOut);
    return [];
  };
  const own = ofUser === undefined ? [] : take(ofUser);
  // A file reached in several ways counts at the nearest place.
  const byPath = new Map(
    ofFolders
      .flat()
      .flatMap(take)
      .toReversed()
      .map((file) => [file.path, file]),
  );
  for (const { path } of own) byPath.delete(path);
  const nearestFirst = [...byPath.values()];
  const judged = await files.judge(nearestFirst);
  const told = new Set<string>([...own, ...nearestFirst].map(({ path }) => path));
  const expander = new ImportExpander(files, { within: root, told });
  const texts: string[] = [];
  const rules: ToldRule[] = [];
  let room = maxBytes;
  const tell = async (file: RuleFile, said: ToldRule["trust"]): Promise<void> => {
    const { text, imported } =
      said !== null && hasImports(file.path) ? await expander.expand(file) : { text: file.text, imported: [] };
    const sizeBytes = Buffer.byteLength(text) + (texts.length === 0 ? 0 : 2);
    if (sizeBytes > room) {
      left.push(
        leftOut(file.path, "too-large", `files nearer to the working folder used the limit of ${maxBytes} bytes`)
          .leftOut,
      );
      return;
    }
    room -= sizeBytes;
    texts.unshift(text);
    rules.unshift({ file, trust: said }, ...imported);
  };
  for (const [index, file] of nearestFirst.entries()) {
    const said = judged[index] ?? "not-trusted";
    if (file.text === "" || files.isTold(said)) await tell(file, said);
    else left.push(leftOut(file.path, "not-trusted", trustWords(said)).leftOut);
  }
  for (const file of own) await tell(file, null);
  left.push(...expander.leftOut);
  const detail = ruleDetail(rules, left);
  const named = left.slice(0, maxNamedLeftOut);
  const leftOutFiles = named.length === 0 ? {} : { leftOut: named };
  if (texts.length === 0) return { absent: reasonOf(left), ...leftOutFiles, ...(detail === "" ? {} : { detail }) };
  return {
    value: joined(texts),
    ...leftOutFiles,
    files: rules.map(({ file: { path, sizeBytes }, trust: said }) => ({ path, sizeBytes, trust: said })),
    // A single file needs no detail, except for its encoding.
    ...(rules.length === 1 && left.length === 0 && rules[0]?.file.encoding === "utf-8" ? {} : { detail }),
  };
}

async function readFolder(
  { names, hasCursorRules }: RuleKind,
  folder: string,
  { files, root }: { readonly files: RuleFiles; readonly root: string },
): Promise<readonly RuleRead[]> {
  const reads = await Promise.all(names.map((name) => files.read(join(folder, name), root)));
  const found = reads.flatMap((read, index) => {
    const name = basename(names[index] ?? "");
    // On case-insensitive file systems, `agents.md` is a different file: a list of agents.
    const isOther = read?.kind === "read" && isSameBut(read.file.path, join(folder, names[index] ?? ""), name);
    return read === undefined || isOther ? [] : [read];
  });
  return hasCursorRules ? [...found, ...(await files.readCursorRules(folder))] : found;
}

function isSameBut(path: string, asked: string, name: string): boolean {
  const real = basename(path);
  return dirname(path) === dirname(asked) && real !== name && real.toLowerCase() === name.toLowerCase();
}

function joined(texts: readonly string[]): string {
  const said = texts.filter((text) => text.trim() !== "");
  if (texts.length === 1 || said.length === 0) return texts.at(-1) ?? "";
  return said.map((text, index) => (index === said.length - 1 ? text : text.replace(/\n+$/, ""))).join("\n\n");
}

function reasonOf(left: readonly LeftOutVariableFile[]): AbsentReason {
  const reasons = left.map(({ reason }) => reason).filter((reason) => reason !== "not-applied");
  return reasons.find((reason) => reason === "not-trusted") ?? reasons.at(-1) ?? "not-found";
}

const maxNamed = 20;

function ruleDetail(told: readonly ToldRule[], left: readonly LeftOutVariableFile[]): string {
  const files = told.map(
    ({ file: { path, sizeBytes, encoding }, trust }) =>
      `${JSON.stringify(path)} (${[
        `${sizeBytes} bytes`,
        ...(encoding === "utf-8" ? [] : [`read as ${encodingLabel(encoding)}`]),
        ...(trust === null || trust === "trusted" ? [] : [trust]),
      ].join(", ")})`,
  );
  const others = left.map(({ path, why }) => `${JSON.stringify(path)}: ${why}`);
  return [listed("", files), listed("left out: ", others)].filter((part) => part !== "").join("; ");
}

function listed(opening: string, items: readonly string[]): string {
  if (items.length === 0) return "";
  const more = items.length > maxNamed ? [`${items.length - maxNamed} more`] : [];
  return `${opening}${[...items.slice(0, maxNamed), ...more].join(", ")}`;
}
