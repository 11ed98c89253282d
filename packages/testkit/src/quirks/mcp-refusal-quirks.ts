import type { Reported } from "./reported.ts";

/** Rejects a tool call over HTTP. */
export interface McpRefusalQuirk extends Reported {
  readonly status: number;
  readonly body: string;
  /** Parts of the error. Absent for a lost session: the call is repeated in a new one. */
  readonly says?: readonly string[];
}

const row = (
  id: string,
  [status, body]: readonly [status: number, body: string],
  { does, sources = [], ...more }: Pick<Reported, "does"> & Partial<Pick<McpRefusalQuirk, "sources" | "says">>,
): McpRefusalQuirk => ({ id, status, body, does, sources, ...more });

export const mcpRefusalQuirks: readonly McpRefusalQuirk[] = [
  row("session-404", [404, "Session not found"], {
    does: "a server that was started anew does not know the session",
    sources: [
      "modelcontextprotocol/python-sdk#1676",
      "modelcontextprotocol/python-sdk#3556",
      "modelcontextprotocol/typescript-sdk#2150",
      "modelcontextprotocol/rust-sdk#743",
      "danny-avila/LibreChat#11868",
    ],
  }),
  row(
    "session-404-as-json",
    [404, '{"type":"error","error":{"type":"not_found_error","details":{"error_code":"mcp_session_terminated"}}}'],
    {
      does: "a server that has slept answers with an error of its own form",
      sources: ["anthropics/claude-code#56264"],
    },
  ),
  row(
    "session-404-as-message",
    [404, '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Not Found: Session has been terminated"}}'],
    {
      does: "a server answers with a message of the protocol without an id",
      sources: ["modelcontextprotocol/swift-sdk#286"],
    },
  ),
  row("session-410", [410, "Gone"], { does: "a server says that the session is gone" }),
  row("session-400", [400, "Bad Request: No valid session ID provided"], {
    does: "a server that has closed an idle session answers 400",
    sources: ["anomalyco/opencode#32809", "lobehub/lobehub#12499"],
  }),
  row("session-401", [401, "Unauthorized: Session not found"], {
    does: "a server takes an unknown session for one without rights",
  }),
  row("session-503", [503, '{"error":"Unknown session"}'], {
    does: "a server that was started anew answers 503",
    sources: ["markmhendrickson/neotoma#1923"],
  }),
  row("forbidden", [403, '{"error":"insufficient_scope","error_description":"Insufficient scope"}'], {
    does: "a server refuses a call with JSON that is no message",
    sources: ["openai/codex#20513"],
    says: ["403", "Insufficient scope"],
  }),
  row("unavailable", [503, "Service Unavailable"], {
    does: "a server is overloaded",
    says: ["503", "Service Unavailable"],
  }),
];
