import { clippedLine, escapeHidden } from "@incipit/schema/text";
import type { TemplateVersion } from "@incipit/schema";
import { pagesOf, routes, type Client } from "@incipit/transport-contract";
import type { Choice, CommandContext } from "./command.ts";
import { minuteOf } from "./when.ts";

const maxListed = 1_000;
const pageSize = 100;
const shownLines = 40;

/** All versions are kept, so this can be undone. */
export async function chooseVersion({
  session: { client, conversation },
  choose,
  tell,
}: CommandContext): Promise<void> {
  const { versions, current } = await versionsOf(client);
  const now = current === null ? {} : { current: String(current) };
  const chosen = await choose("Which template for new conversations?", versions.map(choiceOf), {
    empty: 'No stored template; "incipit prompt set FILE" stores one',
    preview: (version) => previewOf(version, client),
    ...now,
  });
  if (chosen === undefined || chosen === String(current)) return;
  const author = "terminal";
  const stored = await client.call(routes.restoreTemplateVersion, { params: { v: chosen }, body: { author } });
  const what =
    stored.version === null
      ? `Removed the stored template, as in version ${chosen}`
      : `Restored version ${chosen} as version ${stored.version}; new conversations use it`;
  const here = conversation === undefined ? "" : "; /rebuild applies it to this one";
  tell(`${what}${here}`, "good");
}

interface Versions {
  readonly versions: readonly TemplateVersion[];
  readonly current: number | null;
}

async function versionsOf(client: Client): Promise<Versions> {
  const found: TemplateVersion[] = [];
  let current: number | null = null;
  const read = (cursor: string | undefined) =>
    client.call(routes.listTemplateVersions, { query: { limit: pageSize, cursor } });
  for await (const page of pagesOf(read)) {
    found.push(...page.versions);
    current = page.current;
    if (found.length >= maxListed) break;
  }
  return { versions: found, current };
}

function choiceOf({ version, createdAt, sizeBytes, sha256, author, note }: TemplateVersion): Choice {
  const facts = [
    minuteOf(createdAt),
    sha256 === null ? "removed" : `${sizeBytes} bytes`,
    ...(author === null ? [] : [author]),
  ];
  return {
    value: String(version),
    label: `${version}${note === null ? "" : `  ${clippedLine(note, { maxCharacters: 200 })}`}`,
    description: facts.join(" · "),
  };
}

async function previewOf(version: string, client: Client): Promise<readonly string[]> {
  const { template } = await client.call(routes.getTemplateVersion, { params: { v: version } });
  if (template === null) return ["The stored template was removed: the configuration applies"];
  return escapeHidden(template).split("\n").slice(0, shownLines);
}
