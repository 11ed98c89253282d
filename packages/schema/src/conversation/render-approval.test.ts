import { expect, test } from "bun:test";
import type { Requester } from "./requester.ts";
import { renderApproval } from "./render-approval.ts";

test("[attack:extension-forges-asker] renderApproval names the owner of tools of added extensions", () => {
  const headingOf = (asker: Requester): string => renderApproval({ name: "shell", input: "{}", asker }).heading;

  expect(
    renderApproval({ name: "shell", input: "{}", asker: { kind: "extension", extension: "acme.tools" } }).tool,
  ).toBe('shell of extension "acme.tools"');

  expect(headingOf({ kind: "host", extension: "workspace-tools" })).toBe('"shell" needs approval to run');
  expect(headingOf({ kind: "server", extension: "mcp-tools", name: "bank" })).toBe('"shell" needs approval to run');
  expect(headingOf({ kind: "extension", extension: "acme.tools", name: "mcp" })).toBe(
    '"shell" of extension "acme.tools" needs approval to run',
  );
  expect(headingOf({ kind: "client-server", extension: "offered-tools", name: "b\u202Ek" })).toBe(
    '"shell" of MCP server "b\\u202ek", brought by a client needs approval to run',
  );
  expect(headingOf({ kind: "provider", extension: "acp-client", name: "codex" })).toBe(
    '"shell" of model provider "codex" (acp-client) needs approval to run',
  );
});
