import type { Explain } from "@incipit/schema";

type PromptRange = Explain["ranges"][number];

export const originWords = {
  label: "Where parts came from",
  names: {
    literal: "Template",
    variable: "Variable",
    append: "Appended template",
    segment: "Extension",
    request: "Sent with the call",
    separator: "Line between",
  } satisfies Record<PromptRange["origin"], string>,
} as const;

export function rangeName({ origin, name, tier, extension }: PromptRange): string {
  const what = originWords.names[origin];
  const whose = extension === null ? "" : ` (${extension})`;
  if (name !== null) return `${what} ${name}${whose}`;
  return origin === "literal" ? `${what} (${tier})` : `${what}${whose}`;
}
