export const agentToolName = "agent";
