import { sha256Hex } from "@incipit/common";
import type { FileRefusedReason, FileSystem } from "@incipit/kernel";
import { profileNameSchema, type ProfileConflict, type ProfileProblem } from "@incipit/schema";
import {
  ServiceError,
  type EntityTags,
  type ProfilesService,
  type WrittenProfile,
} from "@incipit/service-contract";
import { join } from "node:path";
import { parseAgentFile } from "./agent-file.ts";
import { changeFault, ownStretch, removalFault, renamedWords, withText, type TextFault } from "./agent-section.ts";
import { maxFileBytes } from "./agent-reader.ts";
import { decodeAgentText } from "./agent-text.ts";
import type { AgentFolder } from "./agent-folders.ts";
import type { Discovered, Discovery } from "./discovery.ts";
import { toFoundProfile, type FoundAgent } from "./found-agents.ts";
import type { FoundFile } from "./found-file.ts";
import type { WrittenFiles } from "./written-files.ts";

const timeoutMs = 10_000;
const maxTries = 4;

export interface AgentWriterOptions {
  readonly fs: Pick<FileSystem, "locate" | "writeFile" | "removeFile">;
  readonly discovery: Discovery;
  readonly written: WrittenFiles;
  readonly userFolder: string | undefined;
}

interface Change {
  readonly name: string;
  readonly text: string | null;
  readonly ifMatch: EntityTags;
}

interface Located {
  readonly found: FoundAgent;
  readonly file: FoundFile;
}

/** Writes run one at a time; concurrent changes by an editor are detected before anything is replaced. */
export class AgentWriter {
  readonly #options: AgentWriterOptions;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: AgentWriterOptions) {
    this.#options = options;
  }

  write(
    name: string,
    { cwd, signal, text, condition }: Parameters<ProfilesService["write"]>[1],
  ): ReturnType<ProfilesService["write"]> {
    return this.#inTurn(signal, async () => {
      assertText(text);
      const path =
        condition.kind === "new"
          ? await this.#create(name, { cwd, signal, text, place: condition.place })
          : await this.#change({ name, text, ifMatch: condition.ifMatch }, { cwd, signal });
      const after = asWritten(name, { path, discovered: await this.#options.discovery.find(cwd, signal) });
      if (after !== undefined) return after;
      throw conflict({ yours: text, theirs: null, etag: null }, `${path} was written, and has changed again since`);
    });
  }

  async remove(name: string, { cwd, signal, ifMatch }: Parameters<ProfilesService["remove"]>[1]): Promise<void> {
    await this.#inTurn(signal, () => this.#change({ name, text: null, ifMatch }, { cwd, signal }));
  }

  #inTurn<Value>(signal: AbortSignal | undefined, work: () => Promise<Value>): Promise<Value> {
    const turn = this.#last.then(() => {
      signal?.throwIfAborted();
      return work();
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #create(
    name: string,
    { cwd, signal, text, place }: Where & { readonly text: string; readonly place: "folder" | "user" },
  ): Promise<string> {
    const named = profileNameSchema.safeParse(name);
    if (!named.success)
      throw invalid(name, { line: null, message: `Its name ${named.error.issues[0]?.message ?? "is none"}` });
    if (/^readme$/i.test(name))
      throw invalid(name, {
        line: null,
        message: "A file README.md is about a folder, and read as no agent: give it another name",
      });
    const parsed = await parseAgentFile(text, `${name}.md`);
    const [problem] = parsed.problems;
    if (problem !== undefined) throw invalid(name, problem);
    const written = parsed.agents[0]?.profile.name ?? name;
    if (written !== name) throw invalid(name, { line: 1, message: renamedWords(name, written) });
    const discovered = await this.#options.discovery.find(cwd, signal);
    const folder = this.#folderFor(place, discovered);
    await this.#assertTrusted(folder, discovered);
    const there = allOf(discovered).find(
      ({ found, file }) => found.profile.name === name && file.folder.path === folder.path,
    );
    const path = await this.#placeOf(join(place === "user" ? "agents" : ".agents", `${name}.md`), {
      folder,
      signal,
    });
    if (there !== undefined) throw exists(name, there.file.path);
    const bytes = new TextEncoder().encode(text);
    const outcome = await this.#put(path, bytes, { folder, expected: null, signal });
    if (outcome === undefined) throw exists(name, path);
    return outcome;
  }

  async #placeOf(path: string, { folder, signal }: Pick<FileOptions<never>, "folder" | "signal">): Promise<string> {
    const located = await this.#options.fs.locate(path, { cwd: folder.path, timeoutMs, ...maybe(signal) });
    return located.kind === "located" ? located.path : (refused(join(folder.path, path), located) ?? path);
  }

  #folderFor(place: "folder" | "user", { folders: [own] }: Discovered): AgentFolder {
    const { userFolder } = this.#options;
    if (place === "user" && userFolder !== undefined) return { tier: "user", path: userFolder };
    if (place === "folder" && own !== undefined) return own;
    const message = "This host has no folder of its user's: write the agent into a working folder";
    throw new ServiceError("INVALID_REQUEST", message);
  }

  async #change(change: Change, where: Where): Promise<string> {
    const { name, text } = change;
    for (let tries = maxTries; ; tries -= 1) {
      const discovered = await this.#options.discovery.find(where.cwd, where.signal);
      const located = locate(change, discovered);
      await this.#assertTrusted(located.file.folder, discovered);
      const path = await this.#replace(located, change, where);
      if (path !== undefined) return path;
      const yours = { yours: text, ...textOf(located.found) };
      if (tries === 1)
        throw conflict(yours, `${located.file.path} changes again and again; try again once "${name}" is at rest`);
    }
  }

  /** Returns `undefined` when the file was changed concurrently. */
  async #replace({ found, file }: Located, { name, text }: Change, { signal }: Where): Promise<string | undefined> {
    const agent = found.written?.agent;
    const before = decodeAgentText(file.bytes);
    if (agent === undefined || before === undefined) return undefined;
    const { folder, path, bytes: expected } = file;
    const isAlone = agent.place.kind === "file";
    if (text === null && isAlone) return this.#take(path, { folder, expected, signal });
    const stretch = text === null ? agent.place.whole : ownStretch(before, agent);
    if (stretch.start >= stretch.end || agent.place.whole.start >= agent.place.whole.end)
      throw invalid(name, {
        line: agent.line,
        message: `It shares a line with others: edit ${path} directly`,
      });
    const after =
      text === null ? before.slice(0, stretch.start) + before.slice(stretch.end) : withText(before, stretch, text);
    const bytes = new TextEncoder().encode(after);
    if (bytes.length > maxFileBytes)
      throw invalid(name, { line: null, message: `Its file would have more than ${maxFileBytes} bytes` });
    const parsed = await file.parsed();
    const parsedAfter = await file.parse(after);
    const fault =
      text === null
        ? removalFault(parsed, parsedAfter, agent)
        : changeFault({ before: { text: before, parsed }, after: { text: after, parsed: parsedAfter } }, agent);
    if (fault !== undefined && text === null)
      throw invalid(name, {
        ...fault,
        message: `It cannot be removed alone; edit ${path}: ${fault.message}`,
      });
    if (fault !== undefined) throw invalid(name, fault);
    return this.#put(path, bytes, { folder, expected, signal });
  }

  async #put(
    path: string,
    bytes: Uint8Array,
    { folder, expected, signal }: FileOptions<Uint8Array | null>,
  ): Promise<string | undefined> {
    const { fs } = this.#options;
    return this.#during(path, { folder, sha256: sha256Hex(bytes) }, async () => {
      const options = { cwd: folder.path, timeoutMs, createFolders: true, expected, place: path, ...maybe(signal) };
      const done = await fs.writeFile(path, bytes, options);
      return done.kind === "written" ? done.path : refused(path, done);
    });
  }

  async #take(path: string, { folder, expected, signal }: FileOptions<Uint8Array>): Promise<string | undefined> {
    const { fs } = this.#options;
    return this.#during(path, { folder, sha256: undefined }, async () => {
      const done = await fs.removeFile(path, { cwd: folder.path, timeoutMs, expected, ...maybe(signal) });
      return done.kind === "removed" ? done.path : refused(path, done);
    });
  }

  async #during(
    path: string,
    { folder, sha256 }: { readonly folder: AgentFolder; readonly sha256: string | undefined },
    write: () => Promise<string | undefined>,
  ): Promise<string | undefined> {
    if (folder.tier === "user") return write();
    let done: string | undefined;
    await this.#options.written.during(path, sha256, async () => (done = await write()) !== undefined);
    return done;
  }

  async #assertTrusted(folder: AgentFolder, { folders }: Discovered): Promise<void> {
    if (await this.#options.discovery.trust.isFolderTrusted(folder, folders)) return;
    const message = `"${folder.path}" is not trusted, so no agent is written there: review its content, and run "incipit trust add ${folder.path}"`;
    throw new ServiceError("FOLDER_NOT_TRUSTED", message);
  }
}

interface Where {
  readonly cwd: string;
  readonly signal: AbortSignal | undefined;
}

interface FileOptions<Expected> {
  readonly folder: AgentFolder;
  readonly expected: Expected;
  readonly signal: AbortSignal | undefined;
}

export function toWrittenProfile(found: FoundAgent): WrittenProfile {
  const { theirs: text, etag } = textOf(found);
  return { ...toFoundProfile(found), text, etag };
}

function asWritten(
  name: string,
  { path, discovered }: { readonly path: string; readonly discovered: Discovered },
): WrittenProfile | undefined {
  const now = allOf(discovered).find(({ found, file }) => found.profile.name === name && file.path === path);
  const winner = discovered.agents.get(name);
  if (now === undefined || winner === undefined) return undefined;
  const written = toWrittenProfile(now.found);
  const shadowed = toFoundProfile(winner).shadowed.find((other) => other.path === path);
  if (now.found === winner || shadowed === undefined) return written;
  return { ...written, problems: [...written.problems, `It does not count in this folder: ${shadowed.reason}`] };
}

function textOf({ written }: FoundAgent): Pick<ProfileConflict, "theirs" | "etag"> {
  const file = written === undefined ? undefined : decodeAgentText(written.file.bytes);
  if (written === undefined || file === undefined) return { theirs: null, etag: null };
  const { start, end } = ownStretch(file, written.agent);
  const theirs = file.slice(start, end);
  return { theirs, etag: `"${sha256Hex(`${written.file.path}\0${theirs}`)}"` };
}

function locate({ name, text, ifMatch }: Change, { agents }: Discovered): Located {
  const found = agents.get(name);
  if (found === undefined) throw conflict({ yours: text, theirs: null, etag: null }, goneWords(agents.problems));
  const file = found.written?.file;
  if (file === undefined) {
    const message = `${JSON.stringify(name)} is in the configuration, as [profiles.${name}]: change it there ("incipit config profiles" says in which file)`;
    throw new ServiceError("PROFILE_CONFIGURED", message);
  }
  const { theirs, etag } = textOf(found);
  if (ifMatch === "*" || (etag !== null && ifMatch.includes(etag))) return { found, file };
  const todo = `both texts are in "details"; merge them, and send If-Match: ${etag ?? "*"}`;
  throw conflict({ yours: text, theirs, etag }, `it has changed in ${file.path}; ${todo}`);
}

function goneWords(problems: readonly ProfileProblem[]): string {
  const hidden = problems.find(({ code }) => code === "not-trusted");
  const why = hidden === undefined ? "" : `, or is where files have changed: ${hidden.message}`;
  return `it no longer exists${why}`;
}

function allOf({ agents }: Discovered): readonly Located[] {
  return agents.all
    .flatMap((found) => [found, ...found.shadowed])
    .flatMap((found) => (found.written === undefined ? [] : [{ found, file: found.written.file }]));
}

function assertText(text: string): void {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > maxFileBytes)
    throw invalid(undefined, { line: null, message: `It has more than ${maxFileBytes} bytes` });
  if (decodeAgentText(bytes) === text) return;
  throw invalid(undefined, { line: null, message: "It has a NUL, or half a surrogate pair, which no text has" });
}

function conflict(details: ProfileConflict, why: string): ServiceError {
  return new ServiceError("PROFILE_CONFLICT", `The agent is not what the request expects: ${why}`, { details });
}

function exists(name: string, path: string): ServiceError {
  const message = `The agent ${JSON.stringify(name)} or its file already exists: ${path}; read it, and send its ETag as If-Match`;
  return new ServiceError("PROFILE_EXISTS", message);
}

function invalid(name: string | undefined, { line, message }: TextFault): ServiceError {
  const what = name === undefined ? "an agent" : `the agent ${JSON.stringify(name)}`;
  const at = line === null ? "" : ` (line ${line})`;
  return new ServiceError("PROFILE_INVALID", `The text cannot be ${what}${at}: ${message}`, { details: { line } });
}

function refused(
  path: string,
  { reason, detail = "" }: { readonly reason: FileRefusedReason; readonly detail?: string },
): undefined {
  const said = detail === "" ? "" : ` (${detail})`;
  switch (reason) {
    case "changed":
      return undefined;
    case "denied": {
      const message = `Cannot write ${path}: it leads out of its folder, or the system denies it; nothing was changed`;
      throw new ServiceError("CAPABILITY_DENIED", message);
    }
    case "not-found":
    case "not-a-file": {
      const message = `Cannot write ${path}: its folder cannot be created, for example because a file has its name or the name is too long; nothing was changed`;
      throw new ServiceError("PROFILE_INVALID", message, { details: { line: null } });
    }
    case "timeout":
      throw new ServiceError(
        "STORAGE_FAILED",
        `${path} was not written within ${timeoutMs / 1_000} s: check its content`,
      );
    case "failed":
      throw new ServiceError(
        "STORAGE_FAILED",
        `Cannot write ${path}: the system could not do it${said}; nothing was changed`,
      );
  }
}

function maybe(signal: AbortSignal | undefined): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
