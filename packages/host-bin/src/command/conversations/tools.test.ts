import { expect, test } from "bun:test";
import { bareConversation } from "../testing/bare-conversation.ts";
import { runAgainst, type RanAgainst } from "../testing/run-command.ts";

const answer = {
  tools: [
    { name: "call_tool", description: "Runs a tool", inputSchema: { type: "object" }, isAvailable: true },
    {
      name: "search_tools",
      description: "Finds\u001B[31m tools",
      inputSchema: { type: "object" },
      isAvailable: true,
    },
  ],
  leftOut: [{ name: "search_tools", reason: 'its parameter "$filter\u001B[31m" is refused' }],
  deferred: [
    {
      server: "crm",
      reason: "no-room",
      tools: [
        { name: "crm__close", isAvailable: true },
        { name: "crm__open", isAvailable: false },
      ],
    },
  ],
  sha256: null,
  next: { added: [], removed: [], changed: [], problems: ['The MCP server "files" is still starting'] },
};

function ran(...words: readonly string[]): Promise<RanAgainst> {
  return runAgainst(["conversations", "tools", bareConversation.id, ...words], answer, { extensions: [] });
}

test("conversations tools shows sent and omitted tools, deferred ones and the reason", async () => {
  expect((await ran()).stdout.split("\n")).toEqual([
    "Named in each request: 2",
    "  call_tool                      Runs a tool",
    "  search_tools                   Finds\\u001b[31m tools",
    'The tool "search_tools" is omitted for this model: its parameter "$filter\\u001b[31m" is refused',
    "",
    "Looked up when needed: 2 of crm, as they exceed tools.shown_max or tools.shown_max_bytes",
    "  crm__close",
    "  crm__open (not there at this moment)",
    "",
    'The MCP server "files" is still starting',
    "",
  ]);
});

test("conversations tools --json prints the response unchanged", async () => {
  expect(JSON.parse((await ran("--json")).stdout)).toEqual(answer);
});
