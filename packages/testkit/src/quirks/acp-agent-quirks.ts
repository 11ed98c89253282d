import type { Reported } from "./reported.ts";

/**
 * By method, and for the response to the agent's own request (`answer`). `$id` is the id of the last request, `@stderr
 * TEXT` prints to stderr, and `@exit CODE` ends the program.
 */
export type AcpAgentScript = Readonly<Record<string, readonly string[]>>;

export interface AcpAgentQuirk extends Reported {
  readonly script: AcpAgentScript;
  /** For a second prompt in a second process, after the first has ended. */
  readonly again?: AcpAgentScript;
  /** `default` by default. */
  readonly model?: string;
  /** Expected from the last prompt; absent members are not compared. */
  readonly sees: {
    readonly text?: string;
    readonly runs?: readonly object[];
    readonly question?: object;
    readonly outcome?: object;
    readonly finishReason?: string;
    readonly failure?: { readonly code: string; readonly says: string };
    /** Sent to the last process. */
    readonly methods?: readonly string[];
    readonly prompt?: string;
  };
}

const sessionId = "session-1";
const hello = "initialize";
const begin = "session/new";
const prompt = "session/prompt";
const load = "session/load";

function line(message: object): string {
  return JSON.stringify({ jsonrpc: "2.0", ...message }).replace('"$id"', "$id");
}

function answer(result: unknown): string {
  return line({ id: "$id", result });
}

function refusal(code: number, message: string, data?: unknown): string {
  return line({ id: "$id", error: { code, message, ...(data === undefined ? {} : { data }) } });
}

function update(changed: object): string {
  return line({ method: "session/update", params: { sessionId, update: changed } });
}

const agentChunk = { sessionUpdate: "agent_message_chunk" };

function chunk(content: unknown): string {
  return update({ ...agentChunk, content });
}

function call(changed: object): string {
  return update({ sessionUpdate: "tool_call", toolCallId: "1", title: "Terminal", kind: "execute", ...changed });
}

function change(changed: object): string {
  return update({ sessionUpdate: "tool_call_update", toolCallId: "1", ...changed });
}

const text = (said: string): object => ({ type: "text", text: said });
const block = (said: string): object => ({ type: "content", content: text(said) });
const doneChunk = { ...agentChunk, content: text("done") };
const greeting = { protocolVersion: 1, agentCapabilities: {}, authMethods: [] };
const loading = { protocolVersion: 1, agentCapabilities: { loadSession: true }, authMethods: [] };
const done = chunk(text("done"));
const end = answer({ stopReason: "end_turn" });

export const validAcpScript: AcpAgentScript = {
  [hello]: [answer(greeting)],
  [begin]: [answer({ sessionId })],
  [prompt]: [done, end],
  answer: [done, end],
};

const options = [
  { optionId: "once", name: "Allow", kind: "allow_once" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
];

function asks(toolCall: object, params: object = {}): string {
  const asked = { sessionId, toolCall: { toolCallId: "1", ...toolCall }, options, ...params };
  return line({ id: "asks-1", method: "session/request_permission", params: asked });
}

type Row = readonly [
  id: string,
  does: string,
  sources: readonly string[],
  rest: Pick<AcpAgentQuirk, "script" | "again" | "model" | "sees">,
];

/** The text defaults to `done`. */
function prompted(lines: readonly string[], sees: AcpAgentQuirk["sees"] = {}): Row[3] {
  return { script: { [prompt]: lines }, sees: { text: "done", ...sees } };
}

function greeted(lines: readonly string[]): Row[3] {
  return { script: { [hello]: lines }, sees: { text: "done" } };
}

/** The second process answers `session/load` with these lines. */
function loaded(lines: readonly string[], sees: AcpAgentQuirk["sees"]): Row[3] {
  const script = { [hello]: [answer(loading)] };
  const again = { ...script, [load]: lines, [prompt]: [chunk(text("again")), end] };
  return { script, again, sees: { text: "again", ...sees } };
}

const run = (members: object): object => ({ name: "execute", isError: false, ...members });
const begunAnew = { methods: [hello, load, begin, prompt], prompt: "<conversation-history>" };
const goneOn = { methods: [hello, load, prompt] };
const modelOption = {
  id: "model",
  category: "model",
  type: "select",
  currentValue: "slow",
  options: [{ value: "slow" }, { value: "fast" }],
};

const rows: readonly Row[] = [
  [
    "update-without-call",
    "a call is updated that was never begun",
    ["zed-industries/zed#61667"],
    prompted([change({ status: "completed", kind: "read", title: "Read a", content: [block("a")] }), done, end], {
      runs: [{ name: "read", output: "a", isError: false }],
    }),
  ],
  [
    "call-begun-twice",
    "a call is begun twice, first without its arguments",
    ["agentclientprotocol/claude-agent-acp#122", "zed-industries/zed#45704"],
    prompted(
      [
        call({ status: "pending", rawInput: {}, content: [] }),
        call({ status: "pending", rawInput: { command: "git diff" }, content: [block("Show it")] }),
        change({ status: "completed" }),
        done,
        end,
      ],
      { runs: [run({ input: '{"command":"git diff"}', output: "Show it" })] },
    ),
  ],
  [
    "content-replaced",
    "each update of a call has all of its content",
    ["zed-industries/zed#44834"],
    prompted(
      [
        call({ status: "in_progress" }),
        change({ content: [block("1 running")] }),
        change({ content: [block("1 running, 1 done")] }),
        change({ status: "completed", content: [block("2 done")] }),
        done,
        end,
      ],
      { runs: [run({ output: "2 done" })] },
    ),
  ],
  [
    "terminal-that-is-gone",
    "an update names a terminal that nobody has",
    ["zed-industries/zed#64538", "shindgew/agy-acp#29"],
    prompted(
      [
        call({ status: "in_progress", content: [{ type: "terminal", terminalId: "7cf4" }] }),
        change({ status: "completed", content: [{ type: "terminal", terminalId: "7cf4" }, block("ok")] }),
        done,
        end,
      ],
      { runs: [run({ output: "[a terminal of the agent's]\nok" })] },
    ),
  ],
  [
    "status-cancelled",
    "a call ends with a status that the protocol does not have",
    ["shindgew/agy-acp#29"],
    prompted([call({ status: "pending" }), change({ status: "cancelled", content: [block("no")] }), done, end], {
      runs: [run({ output: "no", isError: true })],
    }),
  ],
  [
    "call-open-at-the-end",
    "the prompt ends before a call has ended",
    ["NousResearch/hermes-agent#114914", "kdlbs/kandev#216"],
    prompted([call({ status: "in_progress" }), done, end], { runs: [run({ isError: true })] }),
  ],
  [
    "call-that-never-ends",
    "a call runs on and the agent sends nothing more",
    ["zed-industries/zed#56734", "zed-industries/zed#57357"],
    prompted([done, call({ status: "in_progress", title: "Search the web" })], {
      runs: [run({ isError: true })],
      failure: { code: "TIMEOUT", says: "silence_timeout_seconds" },
    }),
  ],
  [
    "call-with-changes-alone",
    "updates of a call have neither kind nor title nor arguments",
    ["anomalyco/opencode#7368"],
    prompted(
      [
        call({ status: "pending", kind: "fetch", title: "webfetch", rawInput: { url: "https://example.com" } }),
        change({ status: "in_progress" }),
        change({ status: "completed", rawOutput: { output: "page" } }),
        done,
        end,
      ],
      { runs: [{ name: "fetch", input: '{"url":"https://example.com"}', output: '{"output":"page"}' }] },
    ),
  ],
  [
    "question-without-arguments",
    "a question has empty arguments, and the call had some before",
    ["anomalyco/opencode#30554"],
    prompted(
      [
        call({ status: "pending", rawInput: {} }),
        change({ status: "in_progress", rawInput: { command: "mkdir -p /external" } }),
        asks({ title: "external_directory", rawInput: {} }),
      ],
      { question: { input: '{"command":"mkdir -p /external"}' }, outcome: { optionId: "once" } },
    ),
  ],
  [
    "question-of-a-name-alone",
    "a question has the name of a tool and nothing else",
    ["anomalyco/opencode#33949", "get-bb/bb#482"],
    prompted([asks({ title: "bash" })], {
      question: { input: '{"title":"bash"}', preview: "bash" },
      outcome: { optionId: "once" },
    }),
  ],
  [
    "question-with-a-difference",
    "a question shows what an edit would change",
    ["anomalyco/opencode#31781"],
    prompted([asks({ kind: "edit", title: "a", content: [{ type: "diff", path: "/a", newText: "b\n" }] })], {
      question: { name: "edit", preview: "a\n\n--- /a\n+++ /a\n@@ line 1 @@\n+b" },
      outcome: { optionId: "once" },
    }),
  ],
  [
    "question-with-null-members",
    "null stands in a question for what is absent",
    [],
    prompted([asks({ title: null, kind: null, status: null, content: null, locations: null, rawInput: null })], {
      outcome: { optionId: "once" },
    }),
  ],
  [
    "question-without-options",
    "a question offers no answer",
    [],
    prompted([asks({ kind: "edit" }, { options: null })], { outcome: { outcome: "cancelled" } }),
  ],
  [
    "question-without-a-session",
    "a question does not name its session",
    [],
    prompted([asks({ kind: "edit" }, { sessionId: null })], { outcome: { optionId: "once" } }),
  ],
  ["question-without-a-call", "a question does not name a call", [], prompted([asks({ toolCallId: null })])],
  [
    "updates-as-requests",
    "an update has an id and waits for an answer",
    [],
    {
      script: {
        [prompt]: [line({ id: "update-1", method: "session/update", params: { sessionId, update: doneChunk } })],
        answer: [end],
      },
      sees: { text: "done" },
    },
  ],
  [
    "updates-with-a-null-id",
    "an update has a null id",
    [],
    prompted([line({ id: null, method: "session/update", params: { sessionId, update: doneChunk } }), end]),
  ],
  [
    "chunks-behind-the-end",
    "updates follow the answer to the prompt",
    ["zed-industries/codex-acp#302"],
    {
      script: {
        [prompt]: [done, end, chunk(text(" and more")), change({ status: "completed", content: [block("late")] })],
      },
      sees: { text: "done", finishReason: "stop" },
    },
  ],
  [
    "chunk-of-a-list",
    "a chunk has a list of blocks",
    [],
    prompted([chunk([text("do"), { type: "text", text: "ne" }]), end]),
  ],
  ["chunk-of-a-text", "a chunk has a text in place of a block", [], prompted([chunk("done"), end])],
  [
    "chunk-of-a-link",
    "a chunk has a link without a name",
    [],
    prompted([chunk({ type: "resource_link", uri: "file:///a", name: null }), end], {
      text: "[file:///a](file:///a)",
    }),
  ],
  [
    "chunk-without-a-type",
    "a block of a chunk has a text and no type",
    [],
    prompted([chunk({ text: "done", annotations: null }), end]),
  ],
  [
    "numbers-for-ids",
    "session and call have numbers for ids",
    [],
    {
      script: {
        [begin]: [answer({ sessionId: 7 })],
        [prompt]: [
          line({
            method: "session/update",
            params: { sessionId: 7, update: { sessionUpdate: "tool_call", toolCallId: 8, status: "completed" } },
          }),
          line({ method: "session/update", params: { sessionId: 7, update: { ...agentChunk, content: "done" } } }),
          end,
        ],
      },
      sees: { text: "done", runs: [{ toolCallId: "8", isError: false }] },
    },
  ],
  [
    "call-with-one-block",
    "the content of a call is one block without its envelope",
    [],
    prompted([call({ status: "completed", content: text("a") }), done, end], { runs: [run({ output: "a" })] }),
  ],
  [
    "call-with-an-odd-block",
    "one block of a call has a type that the protocol does not have",
    [],
    prompted([call({ status: "completed", content: [{ type: "chart", rows: 2 }, null, block("a")] }), done, end], {
      runs: [run({ output: '{"type":"chart","rows":2}\na' })],
    }),
  ],
  [
    "unknown-update",
    "an update is of a kind that the protocol does not have",
    [],
    prompted([update({ sessionUpdate: "mood", mood: "cheerful" }), update({}), done, end]),
  ],
  [
    "unknown-usage",
    "an update of usage has other members than the protocol names",
    ["xinbo-tech/thincoder#11"],
    prompted([update({ sessionUpdate: "usage_update", usage: { prompt_tokens: 3 } }), done, end]),
  ],
  ["answer-null", "the answer to a prompt is null", [], prompted([done, answer(null)], { finishReason: "other" })],
  [
    "unknown-stop-reason",
    "a prompt ends for a reason that the protocol does not have",
    [],
    prompted([done, answer({ stopReason: "done", usage: { inputTokens: "3" } })], { finishReason: "other" }),
  ],
  [
    "error-with-details",
    "an error has its reason in its data",
    ["zed-industries/zed#50110", "zed-industries/zed#45381"],
    prompted([refusal(-32_603, "Internal error", { details: "Query closed before response received" })], {
      text: "",
      failure: { code: "FAILED", says: "Internal error: Query closed before response received" },
    }),
  ],
  [
    "ends-in-a-prompt",
    "the program ends while it answers",
    ["zed-industries/zed#43675"],
    prompted(
      [
        done,
        "@stderr node:internal/modules/run_main:107",
        "@stderr     triggerUncaughtException(",
        "@stderr     ^",
        "@stderr Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/zod/index.js' imported from /acp.js",
        "@stderr     at finalizeResolution (node:internal/modules/esm/resolve:274:11)",
        "@stderr   code: 'ERR_MODULE_NOT_FOUND'",
        "@stderr }",
        "@stderr Node.js v24.0.1",
        "@exit 1",
      ],
      { failure: { code: "CUT_OFF", says: "Cannot find module '/zod/index.js'" } },
    ),
  ],
  [
    "escape-before-a-message",
    "an escape sequence of a shell stands before the first message",
    ["zed-industries/zed#56176", "zed-industries/zed#44826"],
    greeted([`\u001B[1 q${answer(greeting)}`]),
  ],
  [
    "words-of-a-shell",
    "a shell prints a greeting and an empty line before the first message",
    ["zed-industries/codex-acp#177", "zed-industries/zed#58568", "gptme/gptme#1268"],
    greeted(["Welcome back user", "", "[20:18:05] Using user configuration", answer(greeting)]),
  ],
  [
    "greeting-with-nulls",
    "null stands in the greeting for what is absent",
    [],
    greeted([
      answer({ protocolVersion: 1, agentInfo: null, agentCapabilities: null, authMethods: null, _meta: null }),
    ]),
  ],
  [
    "greeting-without-capabilities",
    "the greeting has its version alone",
    ["nearai/ironclaw#7513"],
    greeted([answer({ protocolVersion: 1 })]),
  ],
  [
    "session-without-modes",
    "a session has models of another form, and neither modes nor options",
    ["QwenLM/qwen-code#2015"],
    {
      script: {
        [begin]: [answer({ sessionId, models: { availableModels: [] }, modes: null, configOptions: null })],
      },
      sees: { text: "done" },
    },
  ],
  [
    "choice-without-options",
    "the answer to a choice is empty",
    ["xinbo-tech/thincoder#9"],
    {
      model: "fast",
      script: {
        [begin]: [answer({ sessionId, configOptions: [modelOption] })],
        "session/set_config_option": [answer({})],
      },
      sees: { text: "done" },
    },
  ],
  [
    "load-without-an-id",
    "a loaded session does not repeat its id",
    ["anomalyco/opencode#42442"],
    loaded([answer({ configOptions: [] })], goneOn),
  ],
  ["load-null", "the answer to a load is null", [], loaded([answer(null)], goneOn)],
  [
    "load-not-there",
    "an agent offers to load sessions and does not know the method",
    ["cline/cline#11404", "zed-industries/zed#55913"],
    loaded([refusal(-32_601, '"Method not found": session/load', { method: load })], begunAnew),
  ],
  [
    "load-of-a-lost-session",
    "an agent has lost the session",
    ["zed-industries/zed#63868", "google-gemini/gemini-cli#29288"],
    loaded([refusal(-32_002, "Resource not found", { uri: sessionId })], begunAnew),
  ],
];

export const acpAgentQuirks: readonly AcpAgentQuirk[] = rows.map(([id, does, sources, rest]) => ({
  id,
  does,
  sources,
  ...rest,
}));
