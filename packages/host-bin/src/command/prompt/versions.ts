import type { TemplateSource, TemplateVersion } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";
import { UsageError, type Arguments } from "../arguments/arguments.ts";
import type { Output } from "../output/output.ts";
import { changeOf } from "./change.ts";
import { minuteOf } from "../output/minute-of.ts";

export async function listVersions(client: Client, args: Arguments, output: Output): Promise<number> {
  const { outLine, outRow, errLine } = output;
  const broken: number[] = [];
  let isAny = false;
  for (let cursor: string | undefined; ;) {
    const page = await client.call(routes.listTemplateVersions, {
      query: cursor === undefined ? {} : { cursor },
    });
    for (const version of page.versions) {
      isAny = true;
      const isCurrent = version.version === page.current;
      if (args.isJson) outLine(JSON.stringify({ ...version, isCurrent }));
      else outRow(`${isCurrent ? "*" : " "} ${String(version.version).padStart(4)}  ${versionLine(version)}`, lead);
    }
    broken.push(...page.damaged);
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  for (const version of broken)
    errLine(`The record of version ${version} cannot be read; it stays in the data folder as it is`);
  if (!isAny && broken.length === 0) errLine("No template was ever stored");
  return 0;
}

const lead = 8;

function versionLine({ createdAt, sha256, sizeBytes, author, note }: TemplateVersion): string {
  const what = (sha256 === null ? "taken away" : `${sizeBytes} bytes`).padStart(13);
  const by = author ?? "-";
  return `${minuteOf(createdAt)}  ${what}  ${by}${note === null ? "" : `  ${note}`}`;
}

export async function showVersion(client: Client, args: Arguments, output: Output): Promise<number> {
  const { outLine, outExact, errLine } = output;
  const params = { v: numberOf(args.words[1], "show") };
  const version = await client.call(routes.getTemplateVersion, { params });
  if (args.isJson) {
    outLine(JSON.stringify(version));
    return 0;
  }
  if (version.template !== null) outExact(`${version.template}\n`);
  errLine(`(version ${version.version}: ${versionLine(version)})`);
  return 0;
}

export async function diffVersions(client: Client, args: Arguments, output: Output): Promise<number> {
  const { outLine, outExact, errLine } = output;
  const [, first, second] = args.words;
  const against = second === undefined ? undefined : numberOf(first, "diff");
  const params = { v: numberOf(second ?? first, "diff") };
  const diff = await client.call(routes.diffTemplateVersions, { params, query: { against } });
  if (args.isJson) outLine(JSON.stringify(diff));
  else outExact(diff.unified);
  if (diff.hunks.length === 0) errLine("The texts are the same");
  if (!diff.isMinimal) errLine("They differ in too much to look for the fewest lines");
  return 0;
}

export async function restoreVersion(
  client: Client,
  args: Arguments,
  { outLine, errLine }: Output,
): Promise<number> {
  const v = numberOf(args.words[1], "restore");
  const stored = await client.call(routes.restoreTemplateVersion, { params: { v }, body: changeOf(args) });
  if (args.isJson) outLine(JSON.stringify(stored));
  if (stored.version === null)
    errLine(`The stored template was removed, as in version ${v}. ${newConversations(stored.source)}`);
  else errLine(`Version ${stored.version} is what version ${v} was. New conversations use it`);
  return 0;
}

export async function removeTemplate(
  client: Client,
  args: Arguments,
  { outLine, errLine }: Output,
): Promise<number> {
  const before = await client.call(routes.getSystemPrompt);
  const inForce = await client.call(routes.deleteSystemPrompt, { query: changeOf(args) });
  if (args.isJson) outLine(JSON.stringify(inForce));
  const back = before.version === null ? "" : `. To bring it back: incipit prompt restore ${before.version}`;
  if (before.source !== "stored") errLine("No template was stored");
  else errLine(`The stored template was removed. ${newConversations(inForce.source)}${back}`);
  return 0;
}

const sourceWords = {
  stored: "the stored template",
  config: '"system_prompt" of the configuration',
  default: "the built-in default",
} as const satisfies Record<TemplateSource, string>;

function newConversations(source: TemplateSource): string {
  return `New conversations use ${sourceWords[source]}`;
}

function numberOf(word: string | undefined, action: string): string {
  if (word === undefined)
    throw new UsageError(`Which version? Write: incipit prompt ${action} VERSION ("prompt versions" lists them)`);
  if (/^[1-9]\d{0,11}$/.test(word)) return word;
  throw new UsageError(`"${word}" is not a version: a version is a number; "prompt versions" lists them`);
}
