import type { ScaffoldKind } from "./scaffold-kind.ts";

export const variableScaffold: ScaffoldKind = {
  gives: ({ word }) => `the variable [${word}:greeting]`,
  manifest: () => ({ capabilities: { env: ["USER"] }, contributes: ["prompt-variables@1"] }),
  code: ({ word }) => ({
    "src/index.ts": `import { defineExtension } from "@incipit/kernel";
import { promptVariablesPoint } from "@incipit/service-contract";
import packageJson from "../package.json";

/** Adds [${word}:greeting] to templates. */
export default defineExtension(packageJson, (host) => {
  host.contribute(promptVariablesPoint, {
    type: "${word}",
    variables: [{ name: "greeting", description: "Greets whoever runs the host" }],
    async resolve(name) {
      if (name !== "greeting") return { absent: "not-found" };
      return { value: \`Hello, \${host.env.get("USER") ?? "you"}!\` };
    },
  });
});
`,
  }),
  test: ({ word }) => `import { promptVariablesPoint } from "@incipit/service-contract";
import { promptVariablesConformance, startExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import extension from "./index.ts";

test("[${word}:greeting] greets the user of the host", async () => {
  await using host = await startExtension(extension, { env: { USER: "Ada" } });
  const variables = host.contribution(promptVariablesPoint);

  const context = { cwd: "/", model: undefined, conversationId: undefined, signal: AbortSignal.timeout(1_000) };
  expect(await variables.resolve("greeting", context)).toEqual({ value: "Hello, Ada!" });
});

promptVariablesConformance("${word}", {
  open: async (scope) => {
    const host = scope.use(await startExtension(extension, { env: { USER: "Ada" } }));
    return host.contribution(promptVariablesPoint);
  },
});
`,
  next: ({ word }) => [`incipit prompt set "[${word}:greeting]"`],
};
