import { sha256Hex } from "@incipit/common";
import type { WireRequest } from "@incipit/kernel";
import type { AgentConnection } from "./agent-connection.ts";

/** All messages sent to the agent since the previous prompt, then the prompt itself, byte for byte, one per line. */
export function promptRecord(
  line: string,
  {
    agent,
    connection,
    sessionId,
    at,
  }: {
    readonly agent: string;
    readonly connection: Pick<AgentConnection, "unrecorded" | "greeting">;
    readonly sessionId: string;
    readonly at: number;
  },
): WireRequest {
  const { body, leftOut } = connection.unrecorded.with(line);
  const { name, version } = connection.greeting.agentInfo ?? { name: agent, version: "" };
  return {
    method: "session/prompt",
    url: `acp://${agent}/${encodeURIComponent(sessionId)}`,
    headers: {
      agent: `${name} ${version}`.trim().slice(0, 200),
      ...(leftOut === 0 ? {} : { "messages-left-out": String(leftOut) }),
    },
    body,
    sha256: sha256Hex(body),
    at,
  };
}
