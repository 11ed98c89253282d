/** Longer JSON is not set out over lines. */
const maxSetOut = 20_000;

/** All that a tool gets, as a person reads it: `name: value`, a text of several lines below its name. */
export function inputText(input: string): string {
  const value = parsed(input);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return input;
  return Object.entries(value)
    .map(([name, part]) => `${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)}:${valueText(part)}`)
    .join("\n");
}

function valueText(value: unknown): string {
  if (value === "") return ' ""';
  if (typeof value === "string") return value.includes("\n") ? indented(value) : ` ${value}`;
  const json = JSON.stringify(value);
  return json.length > maxSetOut || typeof value !== "object" || value === null
    ? ` ${json}`
    : indented(JSON.stringify(value, null, 2));
}

function indented(text: string): string {
  return `\n  ${text.replaceAll("\n", "\n  ")}`;
}

/** What is no JSON is shown as it is; the host runs no tool with it. */
function parsed(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return undefined;
  }
}
