import type { TemplateSource, TemplateVersion } from "@incipit/schema";
import { routes, pagesOf } from "@incipit/transport-contract";
import type { Call } from "../registry/command.ts";
import { UsageError } from "../registry/usage-error.ts";
import { changeOf } from "./change.ts";
import { minuteOf } from "../output/minute-of.ts";

export async function listVersions({ args, output, host }: Call): Promise<void> {
  const { outLine, outRow, errLine } = output;
  const client = await host.client();
  const broken: number[] = [];
  let isAny = false;
  for await (const page of pagesOf((cursor) => client.call(routes.listTemplateVersions, { query: { cursor } }))) {
    for (const version of page.versions) {
      isAny = true;
      const isCurrent = version.version === page.current;
      if (args.isJson) outLine(JSON.stringify({ ...version, isCurrent }));
      else outRow(`${isCurrent ? "*" : " "} ${String(version.version).padStart(4)}  ${versionLine(version)}`, lead);
    }
    broken.push(...page.damaged);
  }
  for (const version of broken)
    errLine(`The record of version ${version} cannot be read; it stays in the data folder as it is`);
  if (!isAny && broken.length === 0) errLine("No template was ever stored");
}

const lead = 8;

function versionLine({ createdAt, sha256, sizeBytes, author, note }: TemplateVersion): string {
  const what = (sha256 === null ? "taken away" : `${sizeBytes} bytes`).padStart(13);
  const by = author ?? "-";
  return `${minuteOf(createdAt)}  ${what}  ${by}${note === null ? "" : `  ${note}`}`;
}

export async function showTemplate({
  words: [word],
  args,
  output: { outLine, outExact, errLine },
  host,
}: Call<[version?: string]>): Promise<void> {
  const client = await host.client();
  if (word === undefined) {
    const inForce = await client.call(routes.getSystemPrompt);
    const { template, source, version } = inForce;
    if (args.isJson) outLine(JSON.stringify(inForce));
    else outExact(`${template}\n`);
    if (!args.isJson) errLine(`(${source}${version === null ? "" : `, version ${version}`})`);
    return;
  }
  const params = { v: numberOf(word) };
  const version = await client.call(routes.getTemplateVersion, { params });
  if (args.isJson) {
    outLine(JSON.stringify(version));
    return;
  }
  if (version.template !== null) outExact(`${version.template}\n`);
  errLine(`(version ${version.version}: ${versionLine(version)})`);
}

export async function diffVersions({
  words: [first, second],
  args,
  output: { outLine, outExact, errLine },
  host,
}: Call<[version: string, later?: string]>): Promise<void> {
  const against = second === undefined ? undefined : numberOf(first);
  const params = { v: numberOf(second ?? first) };
  const diff = await (await host.client()).call(routes.diffTemplateVersions, { params, query: { against } });
  if (args.isJson) outLine(JSON.stringify(diff));
  else outExact(diff.unified);
  if (diff.hunks.length === 0) errLine("The texts are the same");
  if (!diff.isMinimal) errLine("They differ in too much to look for the fewest lines");
}

export async function restoreVersion({
  words: [word],
  args,
  output: { outLine, errLine },
  host,
}: Call<[version: string], "note">): Promise<void> {
  const v = numberOf(word);
  const stored = await (
    await host.client()
  ).call(routes.restoreTemplateVersion, { params: { v }, body: changeOf(args) });
  if (args.isJson) outLine(JSON.stringify(stored));
  if (stored.version === null)
    errLine(`The stored template was removed, as in version ${v}. ${newConversations(stored.source)}`);
  else errLine(`Version ${stored.version} is what version ${v} was. New conversations use it`);
}

export async function removeTemplate({
  args,
  output: { outLine, errLine },
  host,
}: Call<[], "note">): Promise<void> {
  const client = await host.client();
  const before = await client.call(routes.getSystemPrompt);
  const inForce = await client.call(routes.deleteSystemPrompt, { query: changeOf(args) });
  if (args.isJson) outLine(JSON.stringify(inForce));
  const back = before.version === null ? "" : `. To bring it back: incipit prompt restore ${before.version}`;
  if (before.source !== "stored") errLine("No template was stored");
  else errLine(`The stored template was removed. ${newConversations(inForce.source)}${back}`);
}

const sourceWords = {
  stored: "the stored template",
  config: '"system_prompt" of the configuration',
  default: "the built-in default",
} as const satisfies Record<TemplateSource, string>;

function newConversations(source: TemplateSource): string {
  return `New conversations use ${sourceWords[source]}`;
}

function numberOf(word: string): string {
  if (/^[1-9]\d{0,11}$/.test(word)) return word;
  throw new UsageError(`"${word}" is not a version: a version is a number; "prompt versions" lists them`);
}
