import { lineAt, loadYaml, type Stretch } from "@incipit/common/front-matter";
import { agentOfKeys, agentOfYaml } from "./agent-of-keys.ts";
import { lineNumbers } from "./agent-text.ts";
import type { FileProblem, ParsedAgent, ParsedFile } from "./parsed-agent.ts";

const maxAgents = 2_000;

const heading = /^#{1,6}[ \t]+(\S.*?)(?:[ \t]+#+)?[ \t]*$/;
/** Other headings and blocks are left alone. */
const agentBlock = /^(`{3,}|~{3,})[ \t]*(?:ya?ml[ \t]+)?agent[ \t]*$/;
const anyBlock = /^ {0,3}(`{3,}|~{3,})/;
/** The format of the project that this host succeeds. */
const configBlock = /<!--[ \t]*castle-config(?=\s)/g;
const commentEnd = "-->";

const maxHeadingLength = 300;

interface Section {
  readonly name: string;
  readonly start: number;
  readonly line: number;
  readonly yamlLine: number;
  readonly yaml: Stretch;
  readonly bodyStart: number;
}

/**
 * Parses several agents in one `agents.md`: each a heading with its name, directly followed by a YAML block marked
 * `agent`, then its prompt up to the next agent. Text before the first one is ignored. A comment `<!--
 * castle-config` holds a list `agents:` that includes the prompts.
 */
export async function parseAgentsList(text: string): Promise<ParsedFile> {
  const agents: ParsedAgent[] = [];
  const problems: FileProblem[] = [];
  const take = (parsed: ParsedFile): void => {
    agents.push(...parsed.agents);
    problems.push(...parsed.problems);
  };
  const sections = sectionsOf(text);
  for (const [index, { name, start, line, yaml, yamlLine, bodyStart }] of sections.slice(0, maxAgents).entries()) {
    const end = sections[index + 1]?.start ?? text.length;
    const body = { start: bodyStart, end };
    take(
      await agentOfYaml(text, {
        name,
        yaml,
        body,
        place: { kind: "section", whole: { start, end }, yaml, body },
        line,
        yamlLine,
      }),
    );
  }
  const first = sections[0]?.start ?? text.length;
  for (const match of text.slice(0, first).matchAll(configBlock)) {
    const start = match.index + match[0].length;
    const end = text.indexOf(commentEnd, start);
    if (end !== -1) take(await entriesOfConfig(text, { start, end }));
  }
  if (agents.length > maxAgents || sections.length > maxAgents)
    problems.push({
      code: "too-many",
      line: null,
      message: `It has more than ${maxAgents} agents: the others are not read`,
    });
  return { agents: agents.slice(0, maxAgents), problems };
}

function sectionsOf(text: string): readonly Section[] {
  const sections: Section[] = [];
  let open: string | undefined;
  let named: Pick<Section, "name" | "start" | "line"> | undefined;
  const numberOf = lineNumbers(text);
  // A byte order mark belongs to no line.
  for (let at = text.startsWith("\u{feff}") ? 1 : 0; at < text.length;) {
    const line = lineAt(text, at);
    const isLong = line.end - at > maxHeadingLength;
    const words = isLong ? text.slice(at, at + maxHeadingLength) : text.slice(at, line.end);
    if (open !== undefined) {
      if (closes(words, open)) open = undefined;
      at = line.next;
      continue;
    }
    const [, mark] = isLong ? [] : (agentBlock.exec(words) ?? []);
    if (mark !== undefined && named !== undefined) {
      const end = closingLine(text, line.next, mark);
      if (end !== undefined) {
        const yaml = { start: line.next, end };
        sections.push({ ...named, yaml, yamlLine: numberOf(at), bodyStart: lineAt(text, end).next });
        named = undefined;
        at = lineAt(text, end).next;
        continue;
      }
    }
    const [, name] = isLong ? [] : (heading.exec(words) ?? []);
    if (name !== undefined) named = { name, start: at, line: numberOf(at) };
    else if (words.trim() !== "") {
      named = undefined;
      open = anyBlock.exec(words)?.[1];
    }
    at = line.next;
  }
  return sections;
}

function closingLine(text: string, from: number, mark: string): number | undefined {
  for (let at = from; at < text.length; at = lineAt(text, at).next)
    if (closes(text.slice(at, lineAt(text, at).end), mark)) return at;
  return undefined;
}

function closes(line: string, mark: string): boolean {
  const words = line.trim();
  return words.length >= mark.length && words === (mark[0] ?? "").repeat(words.length);
}

const maxConfigLength = 262_144;

async function entriesOfConfig(text: string, config: Stretch): Promise<ParsedFile> {
  const numberOf = lineNumbers(text);
  const firstLine = numberOf(config.start);
  const broken = (line: number, reason: string): ParsedFile => {
    const message = `The list of agents cannot be read: ${reason}`;
    return { agents: [], problems: [{ code: "not-yaml", line, message }] };
  };
  const source = text.slice(config.start, config.end);
  if (source.length > maxConfigLength) return broken(firstLine, `it has more than ${maxConfigLength} characters`);
  const { entriesIn, readYaml, isMap, isSeq } = await loadYaml();
  const read = readYaml(source);
  if (read.kind === "broken") return broken(firstLine + read.line - 1, read.reason);
  const list = read.map?.get("agents", true);
  if (!isSeq(list)) return broken(firstLine, 'it has no list "agents"');
  const agents: ParsedAgent[] = [];
  const problems: FileProblem[] = [];
  const starts = list.items.map((item) =>
    lineStart(text, config.start + (isMap(item) ? (item.range?.[0] ?? 0) : 0)),
  );
  for (const [index, item] of list.items.entries()) {
    if (!isMap(item)) continue;
    const start = starts[index] ?? 0;
    const end = starts[index + 1] ?? config.start + (list.range?.[1] ?? source.length);
    const line = numberOf(start);
    const at = { name: "", yaml: config, body: undefined, line, yamlLine: line } as const;
    const place = { kind: "entry", whole: { start, end }, yaml: config, index } as const;
    try {
      const parsed = agentOfKeys(text, entriesIn(item, read), { ...at, place });
      agents.push(...parsed.agents);
      problems.push(...parsed.problems);
    } catch {
      return broken(line, "its aliases come to too much");
    }
  }
  return { agents, problems };
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}
