import { type Client, type Profile, routes } from "@incipit/transport-contract";
import { workingFolder } from "../arguments/working-folder.ts";
import type { Call } from "../registry/command.ts";
import { clippedLine, escapeHiddenLine } from "@incipit/schema/text";
import { profileNameSchema, type ProfileSource } from "@incipit/schema";
import { filled } from "../output/fitted.ts";
import { readFile, realpath, unlink } from "node:fs/promises";
import { runEditor } from "../prompt/run-editor.ts";
import { makeFolders, syncFolder, writeSynced } from "@incipit/host/data-folder";
import { basename, dirname, join, relative } from "node:path";
import { UsageError } from "../registry/usage-error.ts";
import { quoted } from "@incipit/cli-text";
import { isAgreed } from "../questions/is-agreed.ts";
import { sha256Hex } from "@incipit/common";
import { openTrustStore } from "@incipit/host/trust";
import type { Output } from "../output/output.ts";
import { nearestWord } from "@incipit/common/suggestion";

export async function listAgents({ args, output, host }: Call<[], "cwd">): Promise<void> {
  const query = { cwd: workingFolder(args) };
  const found = await (await host.client()).call(routes.listProfiles, { query });
  for (const agent of found.profiles) {
    if (args.isJson) output.outLine(JSON.stringify(agent));
    else
      for (const [index, line] of agentLines(agent).entries()) (index === 0 ? output.outRow : output.errLine)(line);
  }
  if (args.isJson) return;
  if (found.profiles.length === 0) output.errLine("There is no agent here; to write one: incipit agents new NAME");
  for (const { path, line, message } of found.problems) output.errLine(`${sourceText({ path, line })}: ${message}`);
}

const maxDescription = 80;

function agentLines(agent: Profile, { isAlone = false }: { readonly isAlone?: boolean } = {}): readonly string[] {
  const { name, description, model, problem, source, shadowed, warnings } = agent;
  const said = description === null ? "" : clippedLine(description, { maxCharacters: maxDescription });
  const alone = [escapeHiddenLine(name), source.tier, ...(model === null ? [] : [escapeHiddenLine(model)]), said];
  const cells = [
    filled(escapeHiddenLine(name), 20),
    source.tier.padEnd(13),
    filled(escapeHiddenLine(model ?? "-"), 28),
    said,
  ];
  return [
    (isAlone ? alone : cells).join("  ").trimEnd(),
    ...(problem === null ? [] : [`  its model cannot be used: ${problem}`]),
    ...warnings.map((warning) => `  ${warning}`),
    ...shadowed.map(({ path, line, reason }) => `  does not count: ${sourceText({ path, line })}: ${reason}`),
  ];
}

function sourceText({ path, line }: Pick<ProfileSource, "path" | "line">): string {
  if (path === null) return "the configuration";
  return line === null ? path : `${path}, line ${line}`;
}

export async function showAgent(call: Call<[agent: string], "cwd">): Promise<void> {
  const { args, output, host } = call;
  const [name] = call.words;
  const agent = await resolveAgent(await host.client(), name, workingFolder(args));
  if (args.isJson) {
    output.outLine(JSON.stringify(agent));
    return;
  }
  for (const line of agentLines(agent, { isAlone: true })) output.errLine(line);
  output.errLine(`It is written in ${sourceText(agent.source)}`);
  const { path, line } = agent.source;
  // A file with several agents is not printed; the line above has its place.
  if (path !== null && line === null) output.outExact(await readFile(path, "utf8"));
}

/**
 * The editor works on the file itself, so that keys unknown to this program survive. The saved text is trusted, because
 * the user has just seen it.
 */
export async function editAgent(call: Call<[agent: string], "cwd">): Promise<number> {
  const { args, output, host } = call;
  const [name] = call.words;
  const { client, dataFolder } = await host.connect();
  const cwd = workingFolder(args);
  const { path, line, tier } = (await resolveAgent(client, name, cwd)).source;
  if (path === null) throw new Error(configuredAgentAdvice(name));
  const before = await readFile(path);
  if (line !== null) output.errLine(`It begins in line ${line}`);
  await runEditor(path);
  const written = await readFile(path);
  if (written.equals(before)) {
    output.errLine("Nothing was changed");
    return 0;
  }
  if (tier !== "user") await trustAgentFile(path, written, { dataFolder, output });
  const { profiles, problems } = await client.call(routes.listProfiles, { query: { cwd } });
  const wrong = problems.filter((problem) => problem.path === path);
  for (const problem of wrong) output.errLine(`${sourceText(problem)}: ${problem.message}`);
  const agent = profiles.find((one) => one.name === name && one.source.path === path);
  if (agent === undefined) {
    output.errLine(`"${name}" is not in ${path} any more`);
    return wrong.length === 0 ? 0 : 1;
  }
  for (const text of agentLines(agent, { isAlone: true })) output.errLine(text);
  output.errLine("New conversations use it; running ones keep their prompt until compaction.");
  return 0;
}

const template = `---
description: What it is for, in one line
# model: anthropic/claude-sonnet-4-5
# tools: read_file, search
---

You are a helpful assistant. Say here what it is to do, and how.
`;

/** A file in the working folder is trusted as the user's own text. Never overwrites a file. */
export async function newAgent(call: Call<[name: string], "cwd" | "isForUser">): Promise<void> {
  const { args, output, host } = call;
  const [name] = call.words;
  const { dataFolder, userFolder, cwd } = await host.start();
  const { success, error } = profileNameSchema.safeParse(name);
  if (!success)
    throw new UsageError(`"${name}" cannot be the name of an agent: it ${error.issues[0]?.message ?? ""}`);
  const path = args.isForUser ? join(userFolder, "agents", `${name}.md`) : join(cwd, ".agents", `${name}.md`);
  makeFolders(dirname(path));
  try {
    writeSynced(path, template, { flag: "wx" });
    syncFolder(dirname(path));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    throw new Error(`There is "${path}" already; to change it: incipit agents edit ${name}`, { cause: error });
  }
  if (!args.isForUser) await trustAgentFile(path, Buffer.from(template), { dataFolder, output });
  if (args.isJson) output.outLine(JSON.stringify({ name, path }));
  else {
    output.outLine(path);
    output.errLine(`Write what it is told: incipit agents edit ${name}. Then: incipit "…" --profile ${name}`);
  }
}

/** Deletes an agent; conversations that use it keep their prompt. */
export async function removeAgent(call: Call<[agent: string], "cwd" | "isGranted">): Promise<number> {
  const { args, output, host } = call;
  const [name] = call.words;
  const { path, line } = (await resolveAgent(await host.client(), name, workingFolder(args))).source;
  if (path === null) throw new Error(configuredAgentAdvice(name));
  if (line !== null)
    throw new Error(
      `"${name}" is one of several in ${path}: take it out there, from line ${line} on (incipit agents edit ${name})`,
    );
  if (!args.isGranted && !(await isAgreed(`Delete ${quoted(path)} permanently? [y/N] `, output))) {
    output.errLine(`Nothing was removed; "--yes" removes it without a question`);
    return 1;
  }
  await unlink(path);
  syncFolder(dirname(path));
  output.outLine(args.isJson ? JSON.stringify({ removed: path }) : `${quoted(path)} is removed`);
  return 0;
}

function configuredAgentAdvice(name: string): string {
  return `"${name}" is in the configuration, as [profiles.${name}]: change it there ("incipit config profiles" says in which file)`;
}

const places: readonly string[] = [".agents", join(".claude", "agents")];

/** Trusts exactly the bytes that the user wrote at this terminal. */
async function trustAgentFile(
  given: string,
  written: Uint8Array,
  { dataFolder, output }: { readonly dataFolder: string; readonly output: Pick<Output, "errLine"> },
): Promise<void> {
  const path = await realpath(given);
  const folder = folderOf(path);
  const sha256 = sha256Hex(written);
  openTrustStore(dataFolder, output.errLine).trustAlso(folder, { [relative(folder, path)]: sha256 });
}

function folderOf(path: string): string {
  const place = places.find((one) => dirname(path).endsWith(`/${one}`));
  return place === undefined ? dirname(path) : path.slice(0, -join("/", place, basename(path)).length) || "/";
}

/** @throws {Error} that lists the known agents and the untrusted ones. */
async function resolveAgent(client: Client, name: string, cwd: string): Promise<Profile> {
  const { profiles, problems } = await client.call(routes.listProfiles, { query: { cwd } });
  const agent = profiles.find((one) => one.name === name);
  if (agent !== undefined) return agent;
  const nearest = nearestWord(
    name,
    profiles.map((one) => one.name),
  );
  const meant = nearest === undefined ? "incipit agents lists them" : `did you mean "${nearest}"?`;
  const hidden = problems.filter(({ code }) => code === "not-trusted").map(({ message }) => `; ${message}`);
  throw new Error(`There is no agent ${quoted(name)} here; ${meant}${hidden.join("")}`);
}
