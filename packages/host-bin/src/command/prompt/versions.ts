import { routes, type Client, type TemplateVersion } from "@incipit/transport-contract";
import { UsageError, type Arguments } from "../arguments.ts";
import { shownText, type Output } from "../output.ts";
import { changeOf } from "./change.ts";

/** `prompt versions`: newest first; `*` is the one that is stored. */
export async function listVersions(client: Client, args: Arguments, output: Output): Promise<number> {
  const { out, err } = output;
  const broken: number[] = [];
  let isAny = false;
  for (let cursor: string | undefined; ;) {
    const page = await client.call(routes.listTemplateVersions, {
      query: cursor === undefined ? {} : { cursor },
    });
    for (const version of page.versions) {
      isAny = true;
      const isCurrent = version.version === page.current;
      if (args.isJson) out(`${JSON.stringify({ ...version, isCurrent })}\n`);
      else
        out(
          `${shownText(`${isCurrent ? "*" : " "} ${String(version.version).padStart(4)}  ${versionLine(version)}`, output)}\n`,
        );
    }
    broken.push(...page.damaged);
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  for (const version of broken) err(`The record of version ${version} cannot be read; see GET /health\n`);
  if (!isAny && broken.length === 0) err("No template was ever stored\n");
  return 0;
}

function versionLine({ createdAt, sha256, sizeBytes, author, note }: TemplateVersion): string {
  const what = (sha256 === null ? "taken away" : `${sizeBytes} bytes`).padStart(13);
  const by = author ?? "-";
  return `${createdAt.slice(0, 16).replace("T", " ")} UTC  ${what}  ${by}${note === null ? "" : `  ${note}`}`;
}

/** `prompt show VERSION`. */
export async function showVersion(client: Client, args: Arguments, output: Output): Promise<number> {
  const { out, err } = output;
  const params = { v: numberOf(args.words[1], "show") };
  const version = await client.call(routes.getTemplateVersion, { params });
  if (args.isJson) {
    out(`${JSON.stringify(version)}\n`);
    return 0;
  }
  if (version.template !== null) out(`${shownText(version.template, output)}\n`);
  err(`(version ${version.version}: ${shownText(versionLine(version), output)})\n`);
  return 0;
}

/** `prompt diff VERSION`: what it changed. `prompt diff OLD NEW`: from the one to the other. */
export async function diffVersions(client: Client, args: Arguments, output: Output): Promise<number> {
  const { out, err } = output;
  const [, first, second] = args.words;
  const against = second === undefined ? undefined : numberOf(first, "diff");
  const params = { v: numberOf(second ?? first, "diff") };
  const diff = await client.call(routes.diffTemplateVersions, { params, query: { against } });
  if (args.isJson) out(`${JSON.stringify(diff)}\n`);
  else out(shownText(diff.unified, output));
  if (diff.hunks.length === 0) err("The texts are the same\n");
  if (!diff.isMinimal) err("They differ in too much to look for the fewest lines\n");
  return 0;
}

/** `prompt restore VERSION`. */
export async function restoreVersion(client: Client, args: Arguments, { out, err }: Output): Promise<number> {
  const v = numberOf(args.words[1], "restore");
  const stored = await client.call(routes.restoreTemplateVersion, { params: { v }, body: changeOf(args) });
  if (args.isJson) out(`${JSON.stringify(stored)}\n`);
  if (stored.version === null) err(`The stored template is taken away, as with version ${v} (${stored.source})\n`);
  else err(`Version ${stored.version} is what version ${v} was. New conversations use it\n`);
  return 0;
}

function numberOf(word: string | undefined, action: string): string {
  if (word === undefined)
    throw new UsageError(`Which version? Write: incipit prompt ${action} VERSION ("prompt versions" lists them)`);
  if (/^[1-9]\d{0,11}$/.test(word)) return word;
  throw new UsageError(`"${word}" is no version: it is a number; "prompt versions" lists them`);
}
