import { agentProtocolRouter, type AgentProtocolRouter } from "@agentclientprotocol/sdk/experimental/v2/unstable";
import type { AgentApp } from "@agentclientprotocol/sdk/unstable";
import type { AgentOptions } from "../session/agent-options.ts";
import { hostAgentV2 } from "./agent-v2.ts";

/** Selects the agent by the protocol version in `initialize`. */
export function byVersion(one: AgentApp, options: AgentOptions): AgentProtocolRouter {
  return agentProtocolRouter().withV1(one).withV2(hostAgentV2(options));
}
