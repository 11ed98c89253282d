import type { Reported } from "./reported.ts";

/** `$cwd` in a string is the folder of the session. */
export interface AcpEditorQuirk extends Reported {
  /** Valid by default. */
  readonly hello?: unknown;
  /** Replaces members of `session/new`. */
  readonly session?: Readonly<Record<string, unknown>>;
  /** Between `session/new` and the prompt; `$session` is the session id. */
  readonly between?: readonly { readonly method: string; readonly params: unknown }[];
  /** By default one text block, `Hello`. */
  readonly prompt?: unknown;
  /** Without it, no tool is called. */
  readonly permission?: unknown;
  /** By default JSON and a line feed. */
  readonly frame?: (message: Readonly<Record<string, unknown>>) => string;
  readonly sees: {
    /** Responses to `between`; `0` for a result. */
    readonly between?: readonly number[];
    readonly model?: readonly string[];
    /** After the permission request. */
    readonly hasRun?: boolean;
    readonly log?: readonly string[];
  };
}

type Row = readonly [
  id: string,
  does: string,
  sources: readonly string[],
  rest: Omit<AcpEditorQuirk, keyof Reported>,
];

const hello = (params: unknown): Row[3] => ({ hello: params, sees: { model: ["Hello"] } });
const session = (members: Readonly<Record<string, unknown>>, sees: AcpEditorQuirk["sees"] = {}): Row[3] => ({
  session: members,
  sees: { model: ["Hello"], ...sees },
});
const prompt = (blocks: unknown, ...model: readonly string[]): Row[3] => ({ prompt: blocks, sees: { model } });
const asked = (permission: unknown, hasRun: boolean): Row[3] => ({ permission, sees: { hasRun } });
const words = { type: "text", text: "Hello" };

const zed = {
  protocolVersion: 1,
  clientCapabilities: {
    fs: { readTextFile: true, writeTextFile: true },
    terminal: true,
    session: { configOptions: { boolean: {} } },
    auth: { terminal: true },
    elicitation: { form: {}, url: {} },
    _meta: { terminal_output: true, "terminal-auth": true },
  },
  clientInfo: { name: "zed", title: "Zed", version: "1.16.1+stable.343" },
};

const rows: readonly Row[] = [
  [
    "no-version",
    "messages do not name a version of JSON-RPC",
    ["zed-industries/zed#37128"],
    { frame: (message) => `${JSON.stringify({ ...message, jsonrpc: undefined })}\n`, sees: { model: ["Hello"] } },
  ],
  [
    "marked-lines",
    "a byte order mark begins each line, which ends in CRLF",
    [],
    { frame: (message) => `\uFEFF${JSON.stringify(message)}\r\n`, sees: { model: ["Hello"] } },
  ],
  [
    "null-members-of-a-message",
    "null stands in a message for what is absent",
    [],
    {
      frame: (message) => `${JSON.stringify({ ...message, result: null, error: null })}\n`,
      sees: { model: ["Hello"] },
    },
  ],
  [
    "hello-without-a-version",
    "the introduction has no version",
    ["openclaw/acpx#67"],
    hello({ clientCapabilities: {}, clientInfo: { name: "acpx", version: "0.1.15" } }),
  ],
  ["hello-version-as-text", "the version of the introduction is a text", [], hello({ protocolVersion: "1" })],
  [
    "hello-of-a-newer-version",
    "the introduction has a version that nobody knows",
    [],
    hello({ protocolVersion: 99, clientCapabilities: {} }),
  ],
  ["hello-of-zed", "an editor offers all that it has", ["zed-industries/zed#62890"], hello(zed)],
  [
    "hello-with-nulls",
    "null stands in the introduction for what is absent",
    [],
    hello({ protocolVersion: 1, clientCapabilities: null, clientInfo: null, _meta: null }),
  ],
  [
    "hello-of-an-unnamed-editor",
    "the introduction names an editor without its version",
    [],
    hello({ protocolVersion: 1, clientCapabilities: { fs: true, terminal: "no" }, clientInfo: { name: "x" } }),
  ],
  ["no-servers", "a session is opened without a list of servers", [], session({ mcpServers: undefined })],
  ["null-servers", "the list of servers is null", [], session({ mcpServers: null, additionalDirectories: null })],
  [
    "server-with-a-table",
    "a server has a table for its variables, and no arguments",
    ["can1357/oh-my-pi#7722"],
    session(
      { mcpServers: [{ name: "broken", command: "/nowhere/server", env: { MODE: "x" } }] },
      { log: ['"broken"', "/nowhere/server"] },
    ),
  ],
  [
    "server-of-another-type",
    "one server is reached in a way that the agent does not offer",
    ["aaif-goose/goose#11417"],
    session({ mcpServers: [{ type: "socket", name: "odd", path: "/s" }] }, { log: ['"odd"', '"socket"'] }),
  ],
  [
    "server-that-does-not-start",
    "a server does not start",
    ["aaif-goose/goose#12266"],
    session(
      { mcpServers: [{ type: "http", name: "broken-mcp", url: "http://127.0.0.1:1/mcp", headers: [] }] },
      { log: ['"broken-mcp"'] },
    ),
  ],
  [
    "mode-of-no-session",
    "an editor sets a mode that was not offered",
    ["aaif-goose/goose#7801", "Yeachan-Heo/gajae-code#3905"],
    {
      between: [{ method: "session/set_mode", params: { sessionId: "$session", modeId: "default" } }],
      sees: { between: [-32_601], model: ["Hello"] },
    },
  ],
  [
    "load-of-a-lost-session",
    "an editor loads a session that is gone",
    ["zed-industries/zed#63868"],
    {
      between: [
        { method: "session/load", params: { sessionId: "session_f8adf072", cwd: "$cwd", mcpServers: [] } },
        { method: "session/resume", params: { sessionId: "session_f8adf072", cwd: "$cwd" } },
      ],
      sees: { between: [-32_002, -32_002], model: ["Hello"] },
    },
  ],
  [
    "link-of-the-editor",
    "a link has a scheme of the editor",
    ["zed-industries/zed#59182"],
    prompt(
      [
        { type: "resource_link", name: "Terminal (4 lines)", uri: "zed:///agent/terminal-selection?lines=4" },
        words,
      ],
      "[Terminal (4 lines)](zed:///agent/terminal-selection?lines=4)",
      "Hello",
    ),
  ],
  [
    "link-before-words",
    "a file stands before the words",
    ["william0wang/zcode-acp#24"],
    prompt(
      [{ name: "AGENTS.md", uri: "file://$cwd/a%20b/AGENTS.md", type: "resource_link" }, words],
      "[AGENTS.md](a b/AGENTS.md)",
      "Hello",
    ),
  ],
  [
    "link-without-a-name",
    "a link has no name",
    ["william0wang/zcode-acp#24"],
    prompt([{ type: "resource_link", uri: "file://$cwd/a.md", name: null }, words], "](a.md)", "Hello"),
  ],
  [
    "null-members-of-a-block",
    "null stands in a block for what is absent",
    [],
    prompt([{ ...words, annotations: null, _meta: null }], "Hello"),
  ],
  ["block-without-a-type", "a block has a text and no type", [], prompt([{ text: "Hello" }], "Hello")],
  [
    "odd-block-beside-words",
    "a block of a type that nobody knows stands beside a text",
    [],
    prompt([{ type: "chart", rows: 2 }, words], '"rows":2', "Hello"),
  ],
  ["answer-null", "the answer to a question is null", [], asked(null, false)],
  ["answer-empty", "the answer to a question is empty", [], asked({}, false)],
  [
    "answer-without-its-envelope",
    "the answer to a question has its members at the wrong level",
    ["openai/codex#18268"],
    asked({ outcome: "selected", optionId: "allow" }, false),
  ],
  [
    "answer-of-an-unknown-option",
    "the answer to a question names an option that was not offered",
    [],
    asked({ outcome: { outcome: "selected", optionId: "accept" } }, false),
  ],
  [
    "answer-cancelled",
    "an editor that does not show a question cancels it",
    ["zed-industries/zed#62788", "can1357/oh-my-pi#1133"],
    asked({ outcome: { outcome: "cancelled" } }, false),
  ],
  [
    "answer-with-more",
    "the answer to a question has null and unknown members",
    [],
    asked({ outcome: { outcome: "selected", optionId: "allow", _meta: null, x: 1 }, _meta: null, y: null }, true),
  ],
];

export const acpEditorQuirks: readonly AcpEditorQuirk[] = rows.map(([id, does, sources, rest]) => ({
  id,
  does,
  sources,
  ...rest,
}));
