import { shorten } from "@incipit/common";
import { singleLine, type OpenedSkill, type Skill, type SkillList } from "@incipit/schema";
import { ServiceError, type SkillsService } from "@incipit/service-contract";
import { join, relative } from "node:path";
import { readFrontMatter } from "./front-matter.ts";
import { isForTrust, look, type FoundText, type FindContext, type Looked, type Made } from "./find-items.ts";
import { readText, fileTimeoutMs } from "./read-text.ts";
import { skillListText } from "./skill-list-text.ts";
import { unknownItemMessage } from "./unknown-item-message.ts";
import type { FileSystem } from "@incipit/kernel";

const maxNameLength = 64;
const maxDescriptionLength = 1_024;
const namePattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const nameRule = "small letters, digits, and single hyphens between them";

export interface FolderQuery {
  readonly cwd: string;
  readonly signal: AbortSignal;
}

interface FoundSkill extends Omit<Skill, "isListed"> {
  readonly path: string;
}

export interface SkillQuery extends FolderQuery {
  readonly only?: readonly string[] | undefined;
}

export interface Skills extends SkillsService {
  list(query: SkillQuery): Promise<SkillList>;
  open(name: string, query: SkillQuery): Promise<OpenedSkill>;
  hasAny(query: SkillQuery): Promise<boolean>;
  readFile(
    name: string,
    file: string,
    query: SkillQuery,
  ): Promise<{ readonly skill: FoundSkill; readonly text: string }>;
}

export function createSkills(context: FindContext): Skills {
  const { fs, settings } = context;
  const find = async ({ only, ...query }: SkillQuery): Promise<Looked<FoundSkill>> => {
    const found = await look({ kind: "skills", ...query }, context, toSkill);
    if (only === undefined) return found;
    const isWanted = ({ name }: { readonly name: string | null }): boolean => name === null || only.includes(name);
    return { items: found.items.filter(isWanted), leftOut: found.leftOut.filter(isWanted) };
  };

  const findOne = async (name: string, query: SkillQuery): Promise<{ skill: FoundSkill; list: SkillList }> => {
    const found = await find(query);
    const skill = found.items.find((one) => one.name === name);
    if (skill !== undefined) return { skill, list: toList(found, query) };
    throw new ServiceError("SKILL_UNKNOWN", unknownItemMessage("skill", name, found));
  };

  const toList = ({ items, leftOut }: Looked<FoundSkill>, { cwd }: FolderQuery): SkillList => {
    const { text, listed } = skillListText(items, settings);
    const skills = items.map((item, index): Skill => {
      const { path: _path, ...skill } = item;
      return { ...skill, isListed: index < listed };
    });
    return { cwd, skills, leftOut: [...leftOut], text };
  };

  return {
    async hasAny(query) {
      const isOneEnough = true;
      const { items, leftOut } =
        query.only === undefined
          ? await look({ kind: "skills", isOneEnough, ...query }, context, toSkill)
          : await find(query); // The first one found may not be allowed.
      return items.length > 0 || leftOut.some(isForTrust);
    },

    list: async (query) => toList(await find(query), query),

    async open(name, query): Promise<OpenedSkill> {
      const { skill, list } = await findOne(name, query);
      const { signal } = query;
      const { folder } = skill;
      const read = await readText(fs, "SKILL.md", { within: folder, maxBytes: settings.maxFileBytes, signal });
      const front = read.kind === "read" ? await readFrontMatter(read.text) : undefined;
      const shown = list.skills.find((one) => one.name === name);
      if (front?.kind !== "parsed" || shown === undefined)
        throw new ServiceError("SKILL_UNKNOWN", `The skill "${name}" has changed at this moment; open it again`);
      return { skill: shown, body: front.body.trim(), ...(await filesOf(fs, folder, signal)) };
    },

    async readFile(name, file, query) {
      const { skill } = await findOne(name, query);
      const maxBytes = settings.maxFileBytes;
      const read = await readText(fs, file, { within: skill.folder, maxBytes, signal: query.signal });
      if (read.kind === "read") return { skill, text: read.text };
      const why = read.kind === "absent" ? "there is no such file" : read.reason;
      throw new Error(`Cannot read ${JSON.stringify(join(skill.folder, file))} of the skill "${name}": ${why}`);
    },
  };
}

/** @see https://agentskills.io/specification */
async function toSkill({ place, name: folderName, path, folder, text }: FoundText): Promise<Made<FoundSkill>> {
  const front = await readFrontMatter(text);
  if (front.kind === "wrong") return { kind: "refused", reason: front.reason };
  if (front.kind === "none")
    return { kind: "refused", reason: 'it has no front matter: its first line must be "---"' };
  const name = front.keys.get("name");
  const given = front.keys.get("description");
  const refused = (reason: string): Made<FoundSkill> => ({ kind: "refused", reason });
  if (typeof name !== "string" || name === "") return refused('its front matter has no "name"');
  if (name.length > maxNameLength || !namePattern.test(name))
    return refused(`its name ${shown(name)} must be of at most ${maxNameLength} ${nameRule}`);
  if (typeof given !== "string" || given.trim() === "") return refused('its front matter has no "description"');
  const description = singleLine(given);
  if (description.length > maxDescriptionLength)
    return refused(
      `its description has ${description.length} characters; only the first ${maxDescriptionLength} are sent`,
    );
  const note = name === folderName ? null : `its folder is named ${shown(folderName)}, which differs from its name`;
  return { kind: "made", item: { name, description, source: place.source, folder, path, note } };
}

function shown(name: string): string {
  return JSON.stringify(shorten(name, 100));
}

const maxFiles = 100;
const maxFolders = 20;

/** Relative to the skill's folder. Does not follow links. */
async function filesOf(
  fs: Pick<FileSystem, "list">,
  folder: string,
  signal: AbortSignal,
): Promise<{ readonly files: string[]; readonly hasMoreFiles: boolean }> {
  const files: string[] = [];
  const folders = [folder];
  let hasMoreFiles = false;
  for (const [index, path] of folders.entries()) {
    if (index === maxFolders) {
      hasMoreFiles = true;
      break;
    }
    const options = { cwd: folder, maxEntries: maxFiles, timeoutMs: fileTimeoutMs, signal };
    const listed = await fs.list(path, options);
    signal.throwIfAborted();
    if (listed.kind === "absent") continue;
    if (listed.leftOut > 0) hasMoreFiles = true;
    for (const { name, kind } of listed.entries) {
      const inner = relative(folder, join(path, name));
      if (kind === "folder" && !name.startsWith(".") && name !== "node_modules") folders.push(join(path, name));
      if (kind === "file" && inner !== "SKILL.md") files.push(inner);
    }
  }
  const sorted = files.toSorted((a, b) => (a < b ? -1 : 1));
  return { files: sorted.slice(0, maxFiles), hasMoreFiles: hasMoreFiles || sorted.length > maxFiles };
}
