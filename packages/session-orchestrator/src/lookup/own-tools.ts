import { callToolName, searchToolName, type DeferredServer, type ToolDefinition } from "@incipit/schema";

export const defaultLimit = 5;
export const maxLimit = 20;

export const maxQueryLength = 1_000;

const maxNamed = 100;

export function ownTools(servers: readonly DeferredServer[]): readonly [ToolDefinition, ToolDefinition] {
  const count = servers.reduce((sum, { count: of }) => sum + of, 0);
  const named = servers.slice(0, maxNamed).map(({ server, count: of }) => `${server} (${of})`);
  const more = servers.length - named.length;
  const all = [...named, ...(more > 0 ? [`${more} more`] : [])].join(", ");
  return [
    {
      name: callToolName,
      description: `Runs a tool that ${searchToolName} has found, as if it were one of your own.`,
      inputSchema: {
        type: "object",
        properties: {
          name: { type: "string", description: `The tool's name, as ${searchToolName} gives it` },
          input: { type: "object", description: "What the tool takes, as its inputSchema says" },
        },
        required: ["name", "input"],
        additionalProperties: false,
      },
    },
    {
      name: searchToolName,
      description: `Finds tools beyond those that you are told of here. There are ${count}, of these servers: ${all}. Look here before you say that something cannot be done. You get the name, description and inputSchema of the tools that fit best. What has become one of your own tools by that is called by its name; run any other with ${callToolName}.`,
      inputSchema: {
        type: "object",
        properties: {
          query: {
            type: "string",
            description:
              "Words of what the tool should do, such as: create issue. Or select:NAME1,NAME2 for tools whose names you know",
          },
          limit: {
            type: "integer",
            description: `How many to give at most, 1 to ${maxLimit}; ${defaultLimit} if absent. More may fit`,
          },
        },
        required: ["query"],
        additionalProperties: false,
      },
    },
  ];
}
