import { exampleFiles } from "./example-files.ts" with { type: "macro" };
import type { ScaffoldKind, ScaffoldName } from "./scaffold-kind.ts";

const code = exampleFiles(
  "02-provider",
  "src/index.ts",
  "src/provider.ts",
  "src/request-body.ts",
  "src/read-reply.ts",
  "src/call-error.ts",
);
const tests = exampleFiles("02-provider", "src/index.test.ts");

export const providerScaffold: ScaffoldKind = {
  gives: ({ name }) => `the models "${name}/${name}-small" and "${name}/${name}-large"`,
  manifest: ({ word }) => ({
    capabilities: { net: true, env: [`${word.toUpperCase()}_URL`, `${word.toUpperCase()}_KEY`] },
    contributes: ["model-providers@1"],
  }),
  code: (name) => Object.fromEntries(Object.entries(code).map(([path, text]) => [path, renamed(text, name)])),
  test: (name) => renamed(tests["src/index.test.ts"] ?? "", name),
  next: ({ name, word }) => [
    `${word.toUpperCase()}_URL=http://127.0.0.1:8080/v1 incipit serve      # an endpoint with OpenAI's chat protocol`,
    `incipit -m ${name}/${name}-small "Hello"`,
  ],
};

function renamed(text: string, { name, word }: ScaffoldName): string {
  return text
    .replaceAll("acme.models", `my.${name}`)
    .replaceAll("ACME_", `${word.toUpperCase()}_`)
    .replaceAll(/(?<!api\.)\bacme\b/gi, name);
}
