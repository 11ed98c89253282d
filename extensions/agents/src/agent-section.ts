import { lineAt, type Stretch } from "@incipit/common/front-matter";
import type { FileProblem, ParsedAgent, ParsedFile } from "./parsed-agent.ts";

const byteOrderMark = "\u{feff}";

export function ownStretch(text: string, { place: { kind, whole } }: Pick<ParsedAgent, "place">): Stretch {
  if (kind === "file") return whole;
  const lastWord = whole.start + text.slice(whole.start, whole.end).trimEnd().length;
  return { start: whole.start, end: Math.min(lineAt(text, lastWord).next, whole.end) };
}

export function withText(file: string, stretch: Stretch, given: string): string {
  const isCrlf = /\r\n/.test(file) && !/(?<!\r)\n/.test(file);
  let text = isCrlf ? given.replaceAll(/(?<!\r)\n/g, "\r\n") : given;
  if (stretch.start === 0 && file.startsWith(byteOrderMark) && !text.startsWith(byteOrderMark))
    text = byteOrderMark + text;
  if (stretch.end < file.length && !text.endsWith("\n")) text += isCrlf ? "\r\n" : "\n";
  return file.slice(0, stretch.start) + text + file.slice(stretch.end);
}

interface Parsed {
  readonly text: string;
  readonly parsed: ParsedFile;
}

export type TextFault = Pick<FileProblem, "line" | "message">;

/** Returns why replacing the text would change more than this agent. */
export function changeFault(
  { before, after }: { readonly before: Parsed; readonly after: Parsed },
  agent: ParsedAgent,
): TextFault | undefined {
  const { name } = agent.profile;
  const startLine = agent.line ?? 1;
  const problem = newProblem(before.parsed, after.parsed);
  if (problem !== undefined) {
    const line = problem.line === null ? null : problem.line - startLine + 1;
    return { line: line === null || line < 1 ? null : line, message: problem.message };
  }
  const at = before.parsed.agents.indexOf(agent);
  const { agents } = after.parsed;
  if (agents.length < before.parsed.agents.length)
    return {
      line: 1,
      message: "It would no longer be an agent: keep the heading and the block, or the entry, unchanged",
    };
  const renamed = agents[at]?.profile.name ?? "";
  if (agents.length === before.parsed.agents.length && renamed !== name)
    return { line: 1, message: renamedWords(name, renamed) };
  const others = (parsed: Parsed): readonly string[] =>
    parsed.parsed.agents.toSpliced(at, 1).map(({ place: { whole } }) => parsed.text.slice(whole.start, whole.end));
  const isSame = others(after).join("\0") === others(before).join("\0");
  return isSame
    ? undefined
    : { line: null, message: "It would change other agents of the file: it has to be one agent" };
}

export function removalFault(before: ParsedFile, after: ParsedFile, agent: ParsedAgent): TextFault | undefined {
  const problem = newProblem(before, after);
  if (problem !== undefined) return problem;
  const names = (parsed: ParsedFile): string => parsed.agents.map(({ profile: { name } }) => name).join("\0");
  const left = { ...before, agents: before.agents.filter((other) => other !== agent) };
  return names(after) === names(left)
    ? undefined
    : { line: agent.line, message: "It is defined between other entries" };
}

export function renamedWords(name: string, renamed: string): string {
  const [written, meant] = [JSON.stringify(renamed), JSON.stringify(name)];
  return `It names the agent ${written} instead of ${meant}: to rename an agent, create a new one and delete this one`;
}

function newProblem(before: ParsedFile, after: ParsedFile): FileProblem | undefined {
  const known = before.problems.map(({ message }) => message);
  return after.problems.find(({ message }) => {
    const at = known.indexOf(message);
    if (at !== -1) known.splice(at, 1);
    return at === -1;
  });
}
