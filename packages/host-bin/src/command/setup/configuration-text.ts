import { vendorOf, vendorTable } from "../../config/known-providers.ts";

export interface Choices {
  readonly model: string;
  readonly isWorkspace: boolean;
}

export function configurationText(
  { model, isWorkspace }: Choices,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const vendor = vendorOf(model);
  const provider =
    vendor === undefined
      ? []
      : [
          "",
          `# ${vendor.title}. Its host and the variable of its key are all that the provider may use.`,
          `[providers.${vendor.name}]`,
          ...vendorTable(vendor, env).map(({ key, value }) => `${key} = ${JSON.stringify(value)}`),
          ...(vendor.keyVariables.length === 0
            ? []
            : ["# The key itself is in that variable, never in this file."]),
        ];
  const lines = [
    '# Written by "incipit setup". incipit config shows what is in force; incipit config . shows the defaults, too.',
    "",
    "# The model of new conversations. To choose another one for a conversation: incipit -m PROVIDER/MODEL",
    `model = ${JSON.stringify(model)}`,
    ...provider,
    "",
    "# true: models may read files of the working folder; they ask before they change one or run a program.",
    "[tools]",
    `workspace = ${isWorkspace}`,
    "",
    '# Text of a folder that you do not trust, such as its AGENTS.md: "allow" tells it to models, and marks it;',
    '# "ask" asks you at the terminal and refuses elsewhere; "blank" leaves it out.',
    "[prompt]",
    'untrusted = "allow"',
  ];
  return `${lines.join("\n")}\n`;
}
