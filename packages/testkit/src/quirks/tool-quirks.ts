import type { JsonValue } from "@incipit/kernel";

/** From models, files or programs. */
export interface ToolQuirk {
  readonly id: string;
  /** Reports of comparable programs, as `project#number`. */
  readonly sources: readonly string[];
  readonly does: string;
  /** A string is UTF-8. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** `CALL` in an input is the id of the first call. */
  readonly calls: readonly { readonly name: string; readonly input: Readonly<Record<string, JsonValue>> }[];
  readonly sees: {
    readonly has?: readonly string[];
    readonly lacks?: readonly string[];
    /** Expected afterwards. */
    readonly files?: Readonly<Record<string, string | Uint8Array>>;
  };
}

type Row = readonly [
  id: string,
  does: string,
  sources: readonly string[],
  rest: Pick<ToolQuirk, "files" | "calls" | "sees">,
];

type Text = string | Uint8Array;

function edited(before: Text, [oldText, newText]: readonly [string, string], after: Text): Row[3] {
  const calls = [{ name: "edit_file", input: { path: "f", oldText, newText } }];
  return { files: { f: before }, calls, sees: { has: ["Edited"], files: { f: after } } };
}

function written(before: Text, content: string, after: Text): Row[3] {
  const calls = [{ name: "write_file", input: { path: "f", content, overwrite: true } }];
  return { files: { f: before }, calls, sees: { has: ["Wrote"], files: { f: after } } };
}

function ran(command: string, sees: ToolQuirk["sees"], more: Readonly<Record<string, JsonValue>> = {}): Row[3] {
  return { calls: [{ name: "shell", input: { command, ...more } }], sees };
}

function called(name: string, input: Readonly<Record<string, JsonValue>>, has: readonly string[]): Row[3] {
  return { files: { f: "one\ntwo\nthree\n" }, calls: [{ name, input }], sees: { has, lacks: ["Cannot run"] } };
}

const latin = (text: string): Buffer => Buffer.from(text, "latin1");
const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, "utf16le");
const utf16be = (text: string): Buffer => utf16(text).swap16();
const build = "for i in $(seq 1 12000); do echo compiling module $i of many; done; echo ERROR here; exit 3";
const longLine = `${"x".repeat(300_000)}END`;

const rows: readonly Row[] = [
  [
    "edit-crlf-by-lf",
    "all lines end in CRLF, and the call has LF",
    ["pi#355", "pi#2744", "anthropics/claude-code#28831", "anthropics/claude-code#54876", "Gitlawb/zero#376"],
    edited("alpha\r\nbeta\r\n", ["alpha\nbeta", "A\nB"], "A\r\nB\r\n"),
  ],
  [
    "edit-mixed-by-lf",
    "one line ends in LF, the others in CRLF",
    ["opencode#45880", "openclaw#116011"],
    edited("alpha\r\nbeta\r\ngamma\n", ["alpha\nbeta", "A\nB"], "A\r\nB\r\ngamma\n"),
  ],
  [
    "edit-lf-by-crlf",
    "all lines end in LF, and the call has CRLF",
    ["QwenLM/qwen-code#2474", "QwenLM/qwen-code#2513"],
    edited("alpha\nbeta\n", ["alpha\r\nbeta", "A\r\nB"], "A\nB\n"),
  ],
  [
    "edit-cr",
    "lines end in CR alone",
    ["use-agent-os/agent-os#2036"],
    edited("alpha\rbeta\rgamma", ["alpha\nbeta", "A\nB"], "A\rB\rgamma"),
  ],
  [
    "edit-beside-cr-data",
    "CR is data in lines that nobody edits",
    ["openclaw#116011"],
    edited("10%\r20%\rdone\nword\r\nend\n", ["word", "WORD"], "10%\r20%\rdone\nWORD\r\nend\n"),
  ],
  [
    "edit-inserts-like-neighbours",
    "a new line comes into a file with CRLF in some lines",
    ["DeepSeek-Reasonix#2918"],
    edited("a\r\nb\r\nc\n", ["a\nb", "a\nnew\nb"], "a\r\nnew\r\nb\r\nc\n"),
  ],
  [
    "edit-inserts-crlf",
    "a new line comes into a file whose lines all end in CRLF",
    ["openai/codex#4003", "openai/codex#25048", "openai/codex#35789"],
    edited("first\r\nlast\r\n", ["first", "first\n' a comment"], "first\r\n' a comment\r\nlast\r\n"),
  ],
  [
    "edit-without-a-match",
    "the text that is to be replaced is not in the file",
    ["cline/cline#9555"],
    {
      files: { f: "source 'x'\r\ngem 'a'\r\n" },
      calls: [{ name: "edit_file", input: { path: "f", oldText: "gem 'b'\n", newText: "gem 'c'\n" } }],
      sees: { lacks: ["Edited"], files: { f: "source 'x'\r\ngem 'a'\r\n" } },
    },
  ],
  [
    "edit-mark",
    "UTF-8 begins with a byte order mark",
    ["anthropics/claude-code#60174", "openai/codex#27784", "MoonshotAI/kimi-code#3825"],
    edited("\uFEFFhello ő\n", ["hello", "hello2"], "\uFEFFhello2 ő\n"),
  ],
  [
    "edit-mark-in-call",
    "the call has the byte order mark that it has read",
    ["openclaw#115781"],
    edited("\uFEFFhello\n", ["\uFEFFhello\n", "hi\n"], "\uFEFFhi\n"),
  ],
  [
    "edit-utf16",
    "the file is UTF-16 with a mark",
    ["CortexLM/cortex-code#149", "BaseIntelligence/bounty-challenge#11203"],
    edited(utf16("name: a\r\nmode: b\r\n"), ["a\nmode: b", "é\nmode: 漢"], utf16("name: é\r\nmode: 漢\r\n")),
  ],
  [
    "edit-utf16-big-endian",
    "the file is UTF-16 with the high byte first",
    ["BaseIntelligence/bounty-challenge#11203"],
    edited(utf16be("one\n"), ["one", "two"], utf16be("two\n")),
  ],
  [
    "edit-beside-latin",
    "other lines have characters of ISO-8859-1",
    ["opencode#49600", "anthropics/claude-code#85842", "openai/codex#21164", "copilot-cli#3732"],
    edited(latin("x = 1;\n// café\n"), ["x = 1", "x = 2"], latin("x = 2;\n// café\n")),
  ],
  [
    "edit-latin",
    "the edit has characters of the file's own encoding",
    ["opencode#28521", "anthropics/claude-code#62723"],
    edited(latin("ação\n"), ["ação", "reação"], latin("reação\n")),
  ],
  [
    "edit-latin-without-character",
    "the encoding of the file does not have a character of the edit",
    ["anthropics/claude-code#62723"],
    {
      files: { f: latin("café\n") },
      calls: [{ name: "edit_file", input: { path: "f", oldText: "caf", newText: "漢" } }],
      sees: { has: ["Windows-1252", "漢"], files: { f: latin("café\n") } },
    },
  ],
  [
    "write-crlf",
    "a file with CRLF is replaced by LF",
    ["use-agent-os/agent-os#1910", "use-agent-os/agent-os#2036"],
    written("a\r\nb\r\n", "c\nd\n", "c\r\nd\r\n"),
  ],
  [
    "write-mark",
    "a file with a byte order mark is replaced",
    ["anthropics/claude-code#13363", "MoonshotAI/kimi-code#3825"],
    written("\uFEFFsécurisé\n", "sûr\n", "\uFEFFsûr\n"),
  ],
  [
    "write-latin",
    "a file that is not UTF-8 is replaced",
    ["DeepSeek-Reasonix#3354"],
    written(latin("café\n"), "thé\n", latin("thé\n")),
  ],
  [
    "write-utf16",
    "a file in UTF-16 is replaced",
    ["DeepSeek-Reasonix#3354"],
    written(utf16("a\n"), "é\n", utf16("é\n")),
  ],
  [
    "write-new-has-lf",
    "a new file is written with LF",
    ["anthropics/claude-code#30358"],
    {
      calls: [{ name: "write_file", input: { path: "f", content: "1\n2\n" } }],
      sees: { files: { f: "1\n2\n" } },
    },
  ],
  [
    "read-mark",
    "a file that is read begins with a byte order mark",
    ["openclaw#115781"],
    {
      files: { f: "\uFEFFfirst\n" },
      calls: [{ name: "read_file", input: { path: "f" } }],
      sees: { has: ["first"], lacks: ["\uFEFF"] },
    },
  ],
  [
    "read-latin",
    "a file that is read is not UTF-8",
    ["bash-agent#50", "opencode#28521"],
    {
      files: { f: latin("café\n") },
      calls: [{ name: "read_file", input: { path: "f" } }],
      sees: { has: ["café", "Windows-1252"] },
    },
  ],
  [
    "read-long-line",
    "the only line is longer than a result",
    ["mateaix/mateclaw#190", "llxprt-code#3599", "clojure-mcp#58"],
    {
      files: { f: longLine },
      calls: [{ name: "read_file", input: { path: "f", column: 261_645 } }],
      sees: { has: ["xxxEND"], lacks: ["[cut"] },
    },
  ],
  [
    "shell-end-of-long-output",
    "the error stands at the end of a long output",
    ["pi#12062", "openJiuwen-ai/jiuwenswarm#3568", "cube-harness#368", "cube-harness#369"],
    ran(build, { has: ["module 1 of many", "module 12000 of many\nERROR here\n[exit code 3]", "read_file"] }),
  ],
  [
    "shell-middle-of-long-output",
    "the middle of a long output is wanted",
    ["apache/maka#108", "antirez/ds4#680", "TabbyML/pochi#1607"],
    {
      calls: [
        { name: "shell", input: { command: build } },
        { name: "read_file", input: { path: "output:CALL", offset: 6_000, limit: 2 } },
      ],
      sees: { has: ["compiling module 6000 of many\ncompiling module 6001 of many\n"], lacks: ["module 5999 of"] },
    },
  ],
  [
    "shell-signal",
    "a signal ends the command",
    ["pi#12088", "pi#8992", "openclaw#68680"],
    ran("echo important; kill -9 $$", { has: ["important", "SIGKILL"] }),
  ],
  [
    "shell-own-timeout",
    "the command reaches its time limit",
    ["hermes-agent#3868", "anomalyco/opencode#45881", "anthropics/claude-code#34266", "QwenLM/qwen-code#6864"],
    ran("echo line1; echo line2; sleep 1000", { has: ["line1\nline2", "1 s"] }, { timeoutSeconds: 1 }),
  ],
  [
    "shell-timeout-of-a-pipe",
    "a command in a pipe reaches its time limit",
    ["anthropics/claude-code#28408"],
    ran("echo begun; sleep 1000 2>&1 | tee -a log", { has: ["begun", "1 s"] }, { timeoutSeconds: 1 }),
  ],
  [
    "shell-after-a-timeout",
    "a command follows one that has reached its time limit",
    ["anthropics/claude-code#62978", "anthropics/claude-code#45717"],
    {
      calls: [
        { name: "shell", input: { command: "for i in 1 2 3; do sleep 1000; done", timeoutSeconds: 1 } },
        { name: "shell", input: { command: "echo hi" } },
      ],
      sees: { has: ["hi\n[exit code 0]"] },
    },
  ],
  [
    "shell-long-last-line",
    "the last line of an output is longer than a result",
    ["openclaw#133213", "anomalyco/opencode#42277"],
    ran("head -c 250000 /dev/zero | tr '\\0' x; echo END-MARKER", { has: ["xEND-MARKER\n[exit code 0]"] }),
  ],
  [
    "shell-progress",
    "the command draws thousands of frames over each other",
    ["indexable-inc#1348", "Kilo-Org/kilocode#6811", "bug-ops/zeph#433"],
    ran(`for i in $(seq 1 3000); do printf '\\r\\033[32m%s/3000\\033[0m' $i; done; echo; echo end`, {
      has: ["3000/3000\nend"],
      lacks: ["\u001b", "\r", "2999/3000"],
    }),
  ],
  [
    "shell-colours",
    "the command prints colours, though nobody sees them",
    ["bug-ops/zeph#433", "rsalmei/alive-progress#55"],
    ran(`printf '\\033[?25l\\033[1;31mred\\033[0m\\033[?25h\\n'`, {
      has: ["red\n[exit code 0]"],
      lacks: ["\u001b"],
    }),
  ],
  [
    "shell-another-encoding",
    "the command prints characters in another encoding than UTF-8",
    ["anomalyco/opencode#26882"],
    ran("printf 'Windows IP \\305\\344\\326\\303\\n'; printf 'caf\\351\\nĂ 漢\\n'", {
      has: ["Windows IP ÅäÖÃ\ncafé\nĂ 漢\n", "Windows-1252"],
      lacks: ["\uFFFD"],
    }),
  ],
  [
    "shell-crlf",
    "the command prints lines that end in CRLF",
    ["Kilo-Org/kilocode#6811"],
    ran(`printf 'one\\r\\ntwo\\r\\n'`, { has: ["one\ntwo\n[exit code 0]"] }),
  ],
  [
    "arguments-null",
    "what a call leaves out is null",
    ["pi#9996", "modelcontextprotocol/inspector#328", "ZenRows/zenrows-mcp#23"],
    called("read_file", { path: "f", offset: null, limit: null }, ["one\ntwo\nthree"]),
  ],
  [
    "arguments-null-as-text",
    "what a call leaves out is the word null",
    ["anthropics/claude-code#95239"],
    called("read_file", { path: "f", offset: "null", limit: "null" }, ["one\ntwo\nthree"]),
  ],
  [
    "arguments-none",
    "a tool whose arguments may all be left out is called without any",
    ["anomalyco/opencode#20637", "cline/cline#10568"],
    called("list_folder", {}, ["f (14 bytes)"]),
  ],
  [
    "arguments-number-as-text",
    "a number is a text",
    ["pi#9996", "wong2/mcp-cli#1"],
    called("read_file", { path: "f", offset: null, limit: "2" }, ["one\ntwo\n[cut"]),
  ],
  [
    "arguments-boolean-as-text",
    "a boolean is a text",
    ["wong2/mcp-cli#1"],
    called("search", { pattern: "TWO", ignoreCase: "true" }, ["f:2: two"]),
  ],
  [
    "arguments-text-as-number",
    "a text is a number",
    ["pi#9996"],
    called("search", { pattern: 2, path: null }, ["[no match]"]),
  ],
  [
    "arguments-unknown-null",
    "a member that the tool does not have is null",
    ["modelcontextprotocol/inspector#328"],
    called("list_folder", { path: ".", depth: null }, ["f (14 bytes)"]),
  ],
];

export const toolQuirks: readonly ToolQuirk[] = rows.map(([id, does, sources, rest]) => ({
  id,
  does,
  sources,
  ...rest,
}));
