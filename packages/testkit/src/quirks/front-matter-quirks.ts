import type { Reported } from "./reported.ts";

export interface FrontMatterQuirk extends Reported {
  readonly yaml: string;
  /** Other keys are ignored; absent for unreadable input. */
  readonly keys?: Readonly<Record<string, unknown>>;
  readonly broken?: { readonly line: number; readonly says: string };
}

const read = (
  id: string,
  yaml: string,
  keys: Readonly<Record<string, unknown>>,
  { does, sources = [], ...more }: Pick<Reported, "does"> & Partial<Pick<Reported, "sources">>,
): FrontMatterQuirk => ({ id, yaml, keys, does, sources, ...more });

const broken = (
  id: string,
  yaml: string,
  mistake: NonNullable<FrontMatterQuirk["broken"]>,
  { does, sources = [], ...more }: Pick<Reported, "does"> & Partial<Pick<Reported, "sources">>,
): FrontMatterQuirk => ({ id, yaml, broken: mistake, does, sources, ...more });

const dialogue = '<example>\nContext: A review is asked for.\nuser: "Look at it"\nassistant: "I do"\n</example>';

export const frontMatterQuirks: readonly FrontMatterQuirk[] = [
  read(
    "colon",
    "name: x\ndescription: Use this. It includes: A\nmodel: m/x",
    { name: "x", description: "Use this. It includes: A", model: "m/x" },
    {
      does: "a colon and a space in a text",
      sources: ["claude-code#16916", "openai/codex#8609", "openai/codex#20704", "trusty-tools#3556"],
    },
  ),
  read(
    "colons-and-quotes",
    'description: Use it when user: "Look" assistant: "I do"\ntools: [Read, Grep]',
    { description: 'Use it when user: "Look" assistant: "I do"', tools: ["Read", "Grep"] },
    { does: "a dialogue on one line", sources: ["claude-code-infrastructure-showcase#20", "claude-code#87077"] },
  ),
  read(
    "escaped-lines",
    "description: Use it. Examples:\\n\\n<example>\\nContext: A review\\n</example>\nmodel: sonnet",
    { description: "Use it. Examples:\\n\\n<example>\\nContext: A review\\n</example>", model: "sonnet" },
    { does: "line breaks that are written as \\n", sources: ["ha-mcp#519", "claude-plugins-official#6261"] },
  ),
  read(
    "dialogue-at-the-edge",
    `name: x\ndescription: Use it. Examples:\n${dialogue}\nmodel: opus\ntools: Read`,
    { name: "x", description: `Use it. Examples:\n${dialogue}`, model: "opus", tools: "Read" },
    { does: "lines of a dialogue that are not indented", sources: ["claude-code#91871", "dreb#231"] },
  ),
  read(
    "colon-at-the-end",
    "description: Use it for these:\nname: x",
    { description: "Use it for these:", name: "x" },
    { does: "a colon that ends a text", sources: ["pi#4532"] },
  ),
  read(
    "words-on-the-next-line",
    "name: x\ndescription:\n  Create designs. Use PROACTIVELY for flows, or interface\n  optimization.",
    { name: "x", description: "Create designs. Use PROACTIVELY for flows, or interface optimization." },
    { does: "a text that begins on the next line", sources: ["anthropics/claude-code#7943"] },
  ),
  read(
    "keywords-behind-an-empty-line",
    "name: x\ndescription: Router, and cache errors.\n\n  Keywords: Router, Cache\nlicense: MIT",
    { name: "x", license: "MIT" },
    {
      does: "an indented line with a colon behind an empty line",
      sources: ["secondsky/claude-skills#60"],
    },
  ),
  read(
    "quoted-without-a-space",
    "name: x\ndescription:'Configures it'",
    { name: "x", description: "Configures it" },
    { does: "no space in front of a text in quotes", sources: ["Jamie-BitFlight/claude_skills#1167"] },
  ),
  read(
    "comment-for-a-text",
    "description: # important skill\nname: x",
    { description: null, name: "x" },
    {
      does: "a comment in place of a text, as YAML has it",
      sources: ["mindverse-ltd/macaron-artifacts#87"],
    },
  ),
  read(
    "number-sign",
    "description: tags #important stuff\nname: x",
    { description: "tags", name: "x" },
    {
      does: "a comment behind a text, as YAML has it",
      sources: ["mindverse-ltd/macaron-artifacts#87"],
    },
  ),
  read(
    "uneven-indent",
    " name: test\n  description: test agent",
    { name: "test", description: "test agent" },
    { does: "keys that are indented by one and by two", sources: ["anomalyco/opencode#45876"] },
  ),
  read(
    "bracket",
    "description: [Beta] Looks at code\nname: x",
    { description: "[Beta] Looks at code", name: "x" },
    { does: "a text that begins with a word in brackets" },
  ),
  read(
    "two-brackets",
    "argument-hint: [file] [tone]\ndescription: x",
    { "argument-hint": "[file] [tone]", description: "x" },
    { does: "two arguments in brackets", sources: ["impeccable#67", "Auto-claude-code-research-in-sleep#324"] },
  ),
  read(
    "list-for-a-text",
    "description: [WIP]\ntools: [Read]",
    { description: "[WIP]", tools: ["Read"] },
    { does: "a text that is one word in brackets", sources: ["claude-dev-suite#112", "bouncer#60"] },
  ),
  read(
    "table-for-a-text",
    "description: {draft}\nname: 007",
    { description: "{draft}", name: "007" },
    { does: "a text in braces, and a name of digits" },
  ),
  read(
    "braces-for-a-text",
    "description: {{name}} looks at code",
    { description: "{{name}} looks at code" },
    { does: "a text that begins with a placeholder" },
  ),
  read(
    "at-sign",
    "description: @reviewer looks at code\nname: x",
    { description: "@reviewer looks at code", name: "x" },
    { does: "a text that begins with an at sign" },
  ),
  read(
    "backquote",
    "description: `code` is looked at",
    { description: "`code` is looked at" },
    { does: "a text that begins with code" },
  ),
  read(
    "bold",
    "description: **Use this** always",
    { description: "**Use this** always" },
    { does: "a text that begins in bold" },
  ),
  read(
    "italics",
    "description: *always* look at code\nname: x",
    { description: "*always* look at code", name: "x" },
    { does: "a text that begins in italics" },
  ),
  read(
    "alias-of-nothing",
    "description: *always\nname: x",
    { description: "*always", name: "x" },
    { does: "a star in front of a word" },
  ),
  read("star", "tools: *\nname: x", { tools: "*", name: "x" }, { does: "a star for all" }),
  read(
    "percent",
    "description: %5 of all",
    { description: "%5 of all" },
    { does: "a text that begins with a percent sign" },
  ),
  read(
    "quoted-word",
    'description: "Quick" looks at code',
    { description: '"Quick" looks at code' },
    { does: "a text that begins with a word in quotes", sources: ["cheat-on-content#75"] },
  ),
  read(
    "backslash-in-quotes",
    'description: "C:\\Users\\x is looked at"',
    { description: '"C:\\Users\\x is looked at"' },
    { does: "a path of Windows in quotes" },
  ),
  read(
    "tabs",
    "name: x\ntools:\n\t- Read\n\t- Grep",
    { name: "x", tools: ["Read", "Grep"] },
    { does: "tabs in front of the items of a list" },
  ),
  read(
    "no-space",
    "name:x\ndescription: Looks at code",
    { name: "x", description: "Looks at code" },
    { does: "no space behind the colon of a key" },
  ),
  read(
    "windows-lines",
    "name: x\r\ndescription: Use this: A\r\n",
    { name: "x", description: "Use this: A" },
    { does: "line ends of Windows beside a colon" },
  ),
  read(
    "indented-lines",
    "description: Use it when:\n  always: really\nmodel: m",
    { description: "Use it when:\nalways: really", model: "m" },
    { does: "indented lines with colons behind a text" },
  ),
  read(
    "words-twice",
    "description: Ask: often\nuser: a\nuser: b\nname: x",
    { description: "Ask: often", name: "x" },
    { does: "words of a dialogue that look like one key twice" },
  ),
  read(
    "block",
    "description: |\n  Use it: always\n  [x] and @y\nname: x",
    { description: "Use it: always\n[x] and @y\n", name: "x" },
    {
      does: "a block of text with colons",
      sources: ["claude-code#87077", "anthropics/claude-code#10589"],
    },
  ),
  read(
    "quoted",
    'description: "Use this. It includes: A"\nname: x',
    { description: "Use this. It includes: A", name: "x" },
    { does: "a text in quotes", sources: ["claude-code#16916"] },
  ),
  read(
    "url",
    "description: See https://example.com:80/a\nname: x",
    { description: "See https://example.com:80/a", name: "x" },
    { does: "an address in a text" },
  ),
  broken(
    "open-bracket",
    "name: x\ndescription: [x",
    { line: 2, says: '"description"' },
    { does: "a list that never ends" },
  ),
  broken(
    "open-quote",
    "name: x\ndescription: 'never ends",
    { line: 2, says: '"description"' },
    { does: "a text in quotes that never ends" },
  ),
  broken(
    "bad-table",
    "name: x\nsettings:\n  temperature: a: b\ndescription: y",
    { line: 2, says: '"settings"' },
    { does: "a table with a mistake in it" },
  ),
  broken(
    "no-space-in-a-table",
    "description: x\npermission:\n  edit: true\n  skill:true",
    { line: 2, says: '"permission"' },
    { does: "no space behind the colon of a key in a table", sources: ["anomalyco/opencode#24181"] },
  ),
  broken(
    "no-key",
    "just words\ndescription: a: b",
    { line: 1, says: "keys" },
    { does: "a line in front of the first key" },
  ),
  broken(
    "key-twice",
    "description: a: b\nname: x\nname: y",
    { line: 3, says: '"name"' },
    { does: "a key that comes twice beside a colon" },
  ),
];
