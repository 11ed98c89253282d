export interface RuleKind {
  readonly description: string;
  readonly names: readonly string[];
  readonly hasCursorRules: boolean;
  readonly userName: string | undefined;
}

const upTo = "from the repository's root down to the working directory, the nearest last; absent without one";
const plain = { hasCursorRules: false, userName: undefined } as const;

const agents: RuleKind = {
  ...plain,
  description: `Each AGENTS.md ${upTo}`,
  names: ["AGENTS.md"],
  userName: "AGENTS.md",
};
const claude: RuleKind = {
  ...plain,
  description: `Each CLAUDE.md, with what it imports, ${upTo}`,
  names: ["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"],
};
const gemini: RuleKind = {
  ...plain,
  description: `Each GEMINI.md, with what it imports, ${upTo}`,
  names: ["GEMINI.md"],
};
const copilot: RuleKind = {
  ...plain,
  description: `Each .github/copilot-instructions.md ${upTo}`,
  names: [".github/copilot-instructions.md"],
};
const cursor: RuleKind = {
  ...plain,
  description: `What always applies of each .cursor/rules ${upTo}`,
  names: [],
  hasCursorRules: true,
};
const all: RuleKind = {
  description: `All of these, each file once, ${upTo}`,
  names: [agents, claude, gemini, copilot].flatMap(({ names }) => names),
  hasCursorRules: true,
  userName: agents.userName,
};

export const ruleKinds: ReadonlyMap<string, RuleKind> = new Map(
  Object.entries({ agents, claude, gemini, copilot, cursor, all }),
);

/** Returns whether a file may import others, as in the programs that read it. */
export function hasImports(name: string): boolean {
  return /(?:^|\/)(?:CLAUDE|CLAUDE\.local|GEMINI)\.md$/.test(name);
}
