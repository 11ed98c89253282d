import type { ToolDefinition } from "@incipit/schema";

const accepted = /^[a-zA-Z0-9_.-]{1,64}$/;

/**
 * Anthropic's API, directly or through a gateway: "input_schema.properties: Property keys should match pattern
 * '^[a-zA-Z0-9_.-]{1,64}$'". Renaming is no option: calls of the model could not be mapped back.
 */
export function refusedProperty({ inputSchema }: Pick<ToolDefinition, "inputSchema">): string | undefined {
  const { properties } = inputSchema;
  const names = typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
  const refused = names.find((name) => !accepted.test(name));
  return refused === undefined
    ? undefined
    : `its parameter "${refused}" has a name that the model's vendor refuses: letters, digits, "_", "." and "-" are accepted`;
}
