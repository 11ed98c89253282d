import type { ToolDefinition } from "@incipit/schema";

const accepted = /^[a-zA-Z0-9_.-]{1,64}$/;

/**
 * Returns why Anthropic's API refuses a tool for the names of its parameters, whichever gateway it is behind; `undefined`: it does
 * not. "input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'": the model's calls could not be
 * given back to the tool under other names.
 */
export function refusedProperty({ inputSchema }: Pick<ToolDefinition, "inputSchema">): string | undefined {
  const { properties } = inputSchema;
  const names = typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
  const refused = names.find((name) => !accepted.test(name));
  return refused === undefined
    ? undefined
    : `its parameter "${refused}" has a name that the model's vendor refuses: letters, digits, "_", "." and "-" are accepted`;
}
