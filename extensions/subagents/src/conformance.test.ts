import { toolConformance } from "@incipit/testkit";
import { agentTool } from "./agent-tool.ts";

const give = async ({ task }: { readonly task: string }): Promise<string> => `did ${task}`;
const profiles = [
  { name: "reader", tools: null },
  { name: "writer", tools: null },
];

toolConformance("agent", {
  open: () => agentTool({ profiles, isProfileRequired: false, timeoutMs: 1_000, give }),
  takes: [{ task: "Read" }, { profile: "reader", task: "Read" }, { task: "Read", schema: { type: "object" } }],
  refuses: [{ task: " " }, { task: "Read", schema: "text" }, { task: "Read", more: true }],
});

toolConformance("agent for some profiles", {
  open: () => agentTool({ profiles, isProfileRequired: true, timeoutMs: 1_000, give }),
  takes: [{ profile: "writer", task: "Write" }],
});
