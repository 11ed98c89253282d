import { resultLine, validInitialize, validTool, type McpLines } from "../mcp/mcp-script.ts";
import type { McpQuirk } from "./mcp-quirk.ts";

type Row = readonly [
  id: string,
  does: string,
  sources: readonly string[],
  script: McpQuirk["script"],
  sees?: McpQuirk["sees"],
  wires?: McpQuirk["wires"],
];

const done = { content: [{ type: "text", text: "done" }] };

function call(...lines: McpLines): McpQuirk["script"] {
  return { "tools/call": lines };
}

function listed(...tools: readonly unknown[]): McpQuirk["script"] {
  return { "tools/list": [resultLine({ tools })] };
}

function schema(inputSchema: unknown): McpQuirk["script"] {
  return listed({ ...validTool, inputSchema });
}

function answered(content: unknown, more: object = {}): McpQuirk["script"] {
  return call(resultLine({ content, ...more }));
}

function started(changed: object): McpQuirk["script"] {
  return { initialize: [resultLine({ ...validInitialize, ...changed })] };
}

const wantsNumber = { type: "object", properties: { a: { type: "number" } }, required: ["a"] };
const failed = (says: string): McpQuirk["sees"] => ({ text: null, says });

const envelopes: readonly Row[] = [
  [
    "error-null",
    "an answer has its result and a null error",
    ["python-sdk#1144"],
    call(resultLine(done, { error: null })),
  ],
  [
    "error-empty",
    "an answer has its result and an empty error",
    ["helidon-mcp#65"],
    call(resultLine(done, { error: { code: 0, message: "" } })),
  ],
  [
    "unknown-member",
    "an answer has members that nobody knows",
    ["python-sdk#1144"],
    call(resultLine(done, { took: 3, meta: null })),
  ],
  ["no-version", "answers do not say jsonrpc", ["python-sdk#1144"], call(resultLine(done, { jsonrpc: undefined }))],
  [
    "other-version",
    "answers say another version of jsonrpc",
    ["python-sdk#1144"],
    call(resultLine(done, { jsonrpc: "1.0" })),
  ],
  [
    "id-as-text",
    "answers have the id as a text",
    ["python-sdk#1144"],
    call(resultLine(done).replace("$id", '"$id"')),
  ],
  [
    "error-without-id",
    "an error has a null id",
    ["helidon-mcp#65"],
    call('{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"out of luck"}}'),
    failed("out of luck"),
  ],
  [
    "error-as-text",
    "an error is a text",
    ["sh1pt#703"],
    call('{"jsonrpc":"2.0","id":$id,"error":"out of luck"}'),
    failed("out of luck"),
  ],
  [
    "error-without-code",
    "an error has no code",
    ["sh1pt#703"],
    call('{"jsonrpc":"2.0","id":$id,"error":{"message":"out of luck"}}'),
    failed("out of luck"),
  ],
  [
    "error-code-as-text",
    "an error has its code as a text and null data",
    ["sh1pt#703"],
    call('{"jsonrpc":"2.0","id":$id,"error":{"code":"E42","message":"out of luck","data":null}}'),
    failed("out of luck"),
  ],
  [
    "result-null-beside-error",
    "an error stands beside a null result",
    ["Wazuh#75"],
    call('{"jsonrpc":"2.0","id":$id,"result":null,"error":{"code":1,"message":"out of luck"}}'),
    failed("out of luck"),
  ],
  [
    "neither",
    "an answer has neither a result nor an error",
    ["python-sdk#1144"],
    call('{"jsonrpc":"2.0","id":$id}'),
    failed('answered "tools/call" with neither'),
  ],
  [
    "half-line",
    "an answer breaks off within its line",
    ["paiml-mcp-agent-toolkit#648"],
    call('{"jsonrpc":"2.0","id":$id,"result":{"content":[{"type":"te'),
    failed('answered "tools/call" with'),
  ],
  [
    "batch",
    "an answer comes as a batch with a notification",
    ["paiml-mcp-agent-toolkit#648"],
    call(
      `[{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}},${resultLine(done)}]`,
    ),
  ],
  [
    "twice",
    "an answer comes twice",
    ["codebase-memory-mcp#1247"],
    call(resultLine(done), resultLine({ content: [] })),
  ],
  [
    "unknown-id-first",
    "an answer to a request that nobody made comes first",
    ["mcp-k8s-go#11"],
    call('{"jsonrpc":"2.0","id":987654,"result":{}}', resultLine(done)),
  ],
  [
    "log-before-message",
    "a log comes before the message on its line",
    ["browser-tools-mcp#239"],
    call(`INFO served ${resultLine(done)}`),
    {},
    ["stdio"],
  ],
  [
    "logs-between",
    "logs come between the messages",
    ["open-webSearch#23", "ews-mcp#133", "azure-devops-mcp#147", "chroma-mcp#66", "anthropics/claude-code#48866"],
    call("[09/15/25] INFO served", "{'a': 1}", resultLine(done)),
    {},
    ["stdio"],
  ],
  ["byte-order-mark", "a byte order mark comes first", ["open-webSearch#23"], call(`\uFEFF${resultLine(done)}`)],
  [
    "notification-with-null-params",
    "a notification has null parameters",
    ["data-api-builder#3599"],
    call(
      '{"jsonrpc":"2.0","method":"notifications/message","params":null}',
      '{"jsonrpc":"2.0","id":null,"method":"notifications/x"}',
      resultLine(done),
    ),
  ],
  [
    "progress-as-text",
    "the numbers of a progress are texts",
    ["data-api-builder#3599"],
    call(
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"1","progress":"5","total":null}}',
      resultLine(done),
    ),
  ],
  [
    "result-null",
    "the result of a call is null",
    ["Medusa#26"],
    call('{"jsonrpc":"2.0","id":$id,"result":null}'),
    { text: "[the tool gave no content]" },
  ],
];

const handshakes: readonly Row[] = [
  [
    "initialize-nulls",
    "null stands in the handshake for what is absent",
    ["data-api-builder#3599"],
    started({
      capabilities: { tools: { listChanged: null }, prompts: null, logging: null, experimental: null },
      instructions: null,
      _meta: null,
    }),
  ],
  ["no-server-info", "the server does not say who it is", ["MCPSqlServer#3"], started({ serverInfo: undefined })],
  [
    "no-server-version",
    "the server does not say its version",
    ["hister#363"],
    started({ serverInfo: { name: "x" } }),
  ],
  [
    "no-protocol-version",
    "the handshake has no version",
    ["pyATS_MCP#1", "MCPSqlServer#3"],
    started({ protocolVersion: undefined }),
  ],
  [
    "newer-protocol-version",
    "the handshake has a version that nobody knows",
    ["mcp-k8s-go#11"],
    started({ protocolVersion: "2027-01-01" }),
  ],
  [
    "protocol-version-as-number",
    "the version of the handshake is a number",
    ["Mini-Agent#3"],
    started({ protocolVersion: 1 }),
  ],
  [
    "capabilities-as-flags",
    "capabilities are flags",
    ["java-sdk#569"],
    started({ capabilities: { tools: true, prompts: false } }),
  ],
  ["no-capabilities", "the server says of nothing that it has it", ["ruby-sdk#12"], started({ capabilities: {} })],
  ["null-capabilities", "the capabilities are null", ["ruby-sdk#12"], started({ capabilities: null })],
  [
    "unknown-capability",
    "the server has capabilities of other types",
    ["claude-code#79849"],
    started({ capabilities: { tools: {}, completions: {}, logging: {}, x: 1 } }),
  ],
  [
    "instructions-as-object",
    "the instructions are no text",
    ["data-api-builder#3599"],
    started({ instructions: { text: "x" } }),
  ],
];

const lists: readonly Row[] = [
  [
    "cursor-null",
    "the last page has a null cursor",
    ["Wazuh#75"],
    { "tools/list": [resultLine({ tools: [validTool], nextCursor: null })] },
  ],
  [
    "cursor-empty",
    "the last page has an empty cursor",
    [
      "java-sdk#628",
      "modelcontextprotocol/java-sdk#575",
      "csharp-sdk#1072",
      "csharp-sdk#770",
      "modelcontextprotocol/modelcontextprotocol#1942",
      "cccc#50",
    ],
    { "tools/list": [resultLine({ tools: [validTool], nextCursor: "" })] },
  ],
  [
    "cursor-repeats",
    "each page has the same cursor",
    ["codebase-memory-mcp#1247", "mcp-use#2470"],
    { "tools/list": [resultLine({ tools: [validTool], nextCursor: "again" })] },
    { says: "repeats a cursor" },
  ],
  [
    "cursor-without-end",
    "each page has another cursor and the same tools",
    ["modelcontextprotocol/java-sdk#1084"],
    { "tools/list": [resultLine({ tools: [validTool], nextCursor: "page-$count" })] },
    { says: "more tools than are read" },
  ],
  [
    "cursor-as-number",
    "the cursor is a number",
    ["Wazuh#75"],
    {
      "tools/list": [resultLine({ tools: [validTool], nextCursor: 2 })],
      "tools/list 2": [resultLine({ tools: [{ ...validTool, name: "two" }] })],
    },
    { tools: ["echo", "two"] },
  ],
  [
    "cursor-as-object",
    "the cursor is an object",
    ["Wazuh#75"],
    { "tools/list": [resultLine({ tools: [validTool], nextCursor: {} })] },
  ],
  [
    "page-fails",
    "the second page is an error",
    ["logic-pro-mcp#218"],
    {
      "tools/list": [resultLine({ tools: [validTool], nextCursor: "2" })],
      "tools/list 2": ['{"jsonrpc":"2.0","id":$id,"error":{"code":-32602,"message":"no such cursor"}}'],
    },
    { says: "no such cursor" },
  ],
  ["list-as-result", "the result is the list", ["mergework#848"], { "tools/list": [resultLine([validTool])] }],
  [
    "list-by-name",
    "the tools stand by their names",
    ["mergework#848"],
    { "tools/list": [resultLine({ tools: { echo: { ...validTool, name: undefined } } })] },
  ],
  [
    "list-null",
    "the list is null",
    ["ruby-sdk#12"],
    { "tools/list": [resultLine({ tools: null })] },
    { tools: [], text: null },
  ],
  [
    "tool-nulls",
    "null stands in a tool for what is absent",
    ["data-api-builder#3599"],
    listed({
      ...validTool,
      title: null,
      annotations: null,
      outputSchema: null,
      icons: null,
      _meta: null,
      execution: null,
    }),
  ],
  [
    "description-null",
    "the description is null",
    ["data-api-builder#3599"],
    listed({ ...validTool, description: null }),
  ],
  [
    "description-as-list",
    "the description is a list",
    ["data-api-builder#3599"],
    listed({ ...validTool, description: ["a"] }),
  ],
  [
    "annotations-as-list",
    "the annotations are an empty list",
    ["webcalendar#725"],
    listed({ ...validTool, annotations: [] }),
  ],
  [
    "hint-null",
    "hints are null",
    ["data-api-builder#3599"],
    listed({ ...validTool, annotations: { readOnlyHint: null, title: null } }),
  ],
  ["schema-missing", "a tool without arguments has no schema", ["promptfoo#5960"], listed({ name: "echo" })],
  ["schema-null", "the schema of a tool without arguments is null", ["promptfoo#5960"], schema(null)],
  [
    "schema-empty",
    "the schema of a tool without arguments is empty",
    ["npm-packages#117", "xiaohongshu-mcp#677"],
    schema({}),
  ],
  [
    "schema-as-list",
    "the schema of a tool without arguments is an empty list",
    ["laravel-mcp-server#74"],
    schema([]),
  ],
  [
    "properties-as-list",
    "there are no properties, as an empty list",
    ["webcalendar#725", "elementor#37327", "laravel-mcp-server#74"],
    schema({ type: "object", properties: [], required: [] }),
  ],
  [
    "properties-null",
    "properties and others are null",
    ["vscode#299035"],
    schema({ type: "object", properties: null, required: null, description: null }),
  ],
  [
    "schema-without-type",
    "a schema with properties has no type",
    ["npm-packages#117"],
    schema({ properties: { a: { type: "string" } } }),
  ],
  [
    "property-nulls",
    "keywords of a property are null",
    ["data-api-builder#3599"],
    schema({ type: "object", properties: { a: { type: "string", description: null, enum: null, default: null } } }),
  ],
  [
    "schema-snake-case",
    "the schema has the name that vendors of models give it",
    ["laravel#29"],
    listed({ name: "echo", input_schema: { type: "object" } }),
  ],
  [
    "required-null",
    "a schema without required properties has null for them",
    ["anthropics/claude-code#44364", "MervinPraison/PraisonAI#3111"],
    schema({ type: "object", properties: {}, required: null }),
  ],
  [
    "schema-of-choices",
    "the schema of one tool is a choice and has no type",
    ["anthropics/claude-code#88049"],
    listed(validTool, { name: "choice", inputSchema: { anyOf: [{ type: "object", properties: { a: {} } }] } }),
    { tools: ["choice", "echo"] },
  ],
  [
    "schema-of-an-unknown-type",
    "properties have types that JSON Schema does not have",
    ["apify/apify-mcp-server#738"],
    schema({ type: "OBJECT", properties: { a: { type: "unknown" }, b: { type: ["String", "any"] } } }),
  ],
  [
    "property-without-description",
    "properties have no description",
    ["aaif-goose/goose#1880"],
    schema({ type: "object", properties: { a: { type: "string" }, b: {} }, required: ["a"] }),
  ],
  [
    "output-schema-without-type",
    "the schema of a tool's output has no type",
    ["anthropics/claude-code#10031", "anthropics/claude-code#10825"],
    {
      "tools/list": [resultLine({ tools: [{ ...validTool, outputSchema: { anyOf: [{ type: "object" }] } }] })],
      "tools/call": [resultLine({ ...done, structuredContent: { a: 1 } })],
    },
  ],
  [
    "reference-that-leads-nowhere",
    "the schemas of a tool refer to a definition that they do not have",
    ["danny-avila/LibreChat#10970"],
    {
      "tools/list": [
        resultLine({
          tools: [
            {
              ...validTool,
              inputSchema: { type: "object", properties: { range: { $ref: "#/$defs/Range" } } },
              outputSchema: { type: "object", properties: { range: { $ref: "Range" } } },
            },
          ],
        }),
      ],
      "tools/call": [resultLine({ ...done, structuredContent: { range: 1 } })],
    },
  ],
  [
    "one-bad-tool",
    "one tool of two cannot be used",
    ["elementor#37327"],
    listed(validTool, { name: "bad", inputSchema: "none" }, null, { name: 7 }),
    { says: '"bad"' },
  ],
  [
    "other-tools",
    "the list has entries that are none",
    ["elementor#37327"],
    listed("x", validTool, []),
    { says: "without a name" },
  ],
];

const results: readonly Row[] = [
  [
    "annotations-of-an-unknown-role",
    "a block is annotated for a role that the protocol does not have",
    ["openai/codex#29002"],
    answered([{ type: "text", text: "done", annotations: { audience: ["system"], priority: 2 } }]),
  ],
  [
    "link-beside-text",
    "a link to a page of an app stands beside a text",
    ["openai/codex#41280"],
    answered([
      ...done.content,
      { type: "resource_link", uri: "ui://demo/view/v1", name: "view", mimeType: "text/html;profile=mcp-app" },
    ]),
    { text: "done\n[resource ui://demo/view/v1: view, text/html;profile=mcp-app]" },
  ],
  [
    "content-as-block-of-json",
    "the content is one block, with the type of a file in place of its own",
    ["modelcontextprotocol/inspector#84"],
    answered({ mimeType: "application/json", text: "[1]" }),
    { text: "[1]" },
  ],
  [
    "error-beside-another-output",
    "a result is an error, and its structured content is not what the schema says",
    ["modelcontextprotocol/inspector#1045"],
    {
      "tools/list": [resultLine({ tools: [{ ...validTool, outputSchema: wantsNumber }] })],
      "tools/call": [
        resultLine({ content: [{ type: "text", text: "out of luck" }], structuredContent: {}, isError: true }),
      ],
    },
    failed("out of luck"),
  ],
  [
    "output-without-structure",
    "a tool has a schema of its output, and answers with a text alone",
    ["tuannvm/codex-mcp-server#161"],
    {
      "tools/list": [resultLine({ tools: [{ ...validTool, outputSchema: wantsNumber }] })],
      "tools/call": [resultLine(done)],
    },
  ],
  [
    "output-of-another-form",
    "structured content is not what the schema of the tool says",
    [],
    {
      "tools/list": [resultLine({ tools: [{ ...validTool, outputSchema: wantsNumber }] })],
      "tools/call": [resultLine({ ...done, structuredContent: { a: "1" } })],
    },
  ],
  [
    "block-nulls",
    "null stands in a block for what is absent",
    ["data-api-builder#3599"],
    answered([{ type: "text", text: "done", annotations: null, _meta: null }]),
  ],
  [
    "result-nulls",
    "null stands in a result for what is absent",
    ["data-api-builder#3599", "opencode#32074"],
    answered(done.content, { structuredContent: null, isError: null, _meta: null }),
  ],
  [
    "unknown-block",
    "a block of a type that nobody knows stands beside a text",
    ["Kiro#8960", "waldzell-mcp#44"],
    answered([...done.content, { type: "application/json", data: { a: 1 } }]),
    { text: 'done\n[content of the type "application/json"] {"type":"application/json","data":{"a":1}}' },
  ],
  ["block-without-type", "a block has a text and no type", ["waldzell-mcp#44"], answered([{ text: "done" }])],
  ["content-as-text", "the content is a text", ["waldzell-mcp#44"], answered("done")],
  ["content-as-block", "the content is one block", ["waldzell-mcp#44"], answered(done.content[0])],
  [
    "content-of-texts",
    "the content is a list of texts",
    ["waldzell-mcp#44"],
    answered(["do", "ne"]),
    { text: "do\nne" },
  ],
  [
    "content-null",
    "the content is null",
    ["pi-mcp-adapter#146"],
    answered(null, { structuredContent: { a: 1 } }),
    { text: '{"a":1}' },
  ],
  [
    "content-missing",
    "there is structured content alone",
    ["pi-mcp-adapter#146", "dust#26388", "modelcontextprotocol/inspector#1991"],
    call(resultLine({ structuredContent: { a: null } })),
    { text: '{"a":null}' },
  ],
  [
    "content-empty-text",
    "structured content stands beside an empty text",
    ["dust#26388"],
    answered([{ type: "text", text: "" }], { structuredContent: { a: 1 } }),
    { text: '{"a":1}' },
  ],
  [
    "structured-list",
    "structured content is a list",
    ["pi#10416", "CSM#28", "harness-sdk#3431"],
    answered(done.content, { structuredContent: [1] }),
  ],
  [
    "structured-list-alone",
    "structured content is a list, and there is no other",
    ["CSM#28"],
    answered([], { structuredContent: [1] }),
    { text: "[1]" },
  ],
  [
    "structured-number-alone",
    "structured content is a number, and there is no other",
    ["harness-sdk#3431"],
    answered([], { structuredContent: 0 }),
    { text: "0" },
  ],
  [
    "text-as-object",
    "the text of a block is an object",
    ["waldzell-mcp#44"],
    answered([{ type: "text", text: { a: 1 } }]),
    { text: '{"a":1}' },
  ],
  ["result-as-text", "the result is a text", ["Medusa#26"], call(resultLine("done"))],
  ["result-as-list", "the result is the content", ["Medusa#26"], call(resultLine(done.content))],
  [
    "result-of-others",
    "the result has none of the members of a result",
    ["Medusa#26"],
    call(resultLine({ output: "done" })),
    { text: '{"output":"done"}' },
  ],
  [
    "tool-result",
    "the result has the member that it had in the first version",
    ["Medusa#26"],
    call(resultLine({ toolResult: 7 })),
    { text: '{"toolResult":7}' },
  ],
  [
    "error-flag-as-text",
    "the flag of an error is a text",
    ["Medusa#26"],
    answered([{ type: "text", text: "out of luck" }], { isError: "true" }),
    failed("out of luck"),
  ],
  [
    "image-without-type",
    "a picture does not say its type",
    ["waldzell-mcp#44"],
    answered([...done.content, { type: "image", data: "aGVsbG8=", mimeType: null }]),
    { text: "done\n[image image/png, 5 bytes]" },
  ],
  [
    "image-as-address",
    "the data of a picture is an address with it",
    ["waldzell-mcp#44"],
    answered([{ type: "image", data: "data:image/gif;base64,aGVsbG8=" }]),
    { text: "[image image/gif, 5 bytes]" },
  ],
  [
    "image-of-a-model",
    "a picture has the form in which models take pictures",
    ["danny-avila/LibreChat#9960"],
    answered([
      ...done.content,
      { type: "image_url", image_url: { url: "data:image/png;base64,aGVsbG8=" } },
      { type: "image", source: { type: "base64", media_type: "image/gif", data: "aGVsbG8=" } },
    ]),
    { text: "done\n[image image/png, 5 bytes]\n[image image/gif, 5 bytes]" },
  ],
  [
    "resource-nulls",
    "null stands in a resource for what is absent",
    ["data-api-builder#3599"],
    answered([{ type: "resource", resource: { uri: "x://a", mimeType: null, text: "done", blob: null } }]),
    { text: "[resource x://a]\ndone" },
  ],
  [
    "link-without-name",
    "a link has no name",
    ["data-api-builder#3599"],
    answered([{ type: "resource_link", uri: "x://a", name: null }]),
    { text: "[resource x://a: x://a]" },
  ],
];

export const mcpQuirks: readonly McpQuirk[] = [...envelopes, ...handshakes, ...lists, ...results].map(
  ([id, does, sources, script, sees = {}, wires]): McpQuirk => ({
    id: `mcp-${id}`,
    does,
    sources,
    script,
    sees,
    ...(wires === undefined ? {} : { wires }),
  }),
);
