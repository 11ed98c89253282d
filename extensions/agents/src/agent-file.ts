import { splitFrontMatter } from "@incipit/common/front-matter";
import { agentOfYaml } from "./agent-of-keys.ts";
import type { ParsedFile } from "./parsed-agent.ts";

export async function parseAgentFile(text: string, fileName: string): Promise<ParsedFile> {
  const split = splitFrontMatter(text);
  if (split === undefined) {
    const message =
      'It has no front matter, so it is not an agent: start it with a line of "---", keys, and another such line';
    return { agents: [], problems: [{ code: "no-front-matter", line: 1, message }] };
  }
  if (split === "unclosed") {
    const message = 'The front matter cannot be read: no second line of "---" ends it';
    return { agents: [], problems: [{ code: "not-yaml", line: 1, message }] };
  }
  return agentOfYaml(text, {
    name: fileName.replace(/\.md$/, ""),
    ...split,
    place: { kind: "file", whole: { start: 0, end: text.length }, ...split },
    line: null,
    yamlLine: 1,
  });
}
