import type { ScaffoldKind } from "./scaffold-kind.ts";

export const toolScaffold: ScaffoldKind = {
  gives: ({ word }) => `the tool "${word}_greet"`,
  manifest: () => ({ contributes: ["tools@1"] }),
  code: ({ word }) => ({
    "src/index.ts": `import { defineExtension } from "@incipit/kernel";
import { toolsPoint } from "@incipit/service-contract";
import * as z from "zod";
import packageJson from "../package.json";

const inputSchema = z.object({ name: z.string() });

/** Adds the tool ${word}_greet. */
export default defineExtension(packageJson, (host) => {
  host.contribute(toolsPoint, {
    name: "${word}_greet",
    description: "Greets somebody by name",
    inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    isReadOnly: true, // It changes nothing, so calls need no approval.
    execute(input) {
      // The input from the model is not validated yet; the model receives an error that is thrown here.
      const { name } = inputSchema.parse(input);
      return \`Hello, \${name}!\`;
    },
  });
});
`,
  }),
  test: ({ word }) => `import { toolsPoint } from "@incipit/service-contract";
import { startExtension, toolConformance } from "@incipit/testkit";
import { expect, test } from "bun:test";
import extension from "./index.ts";

test("${word}_greet greets by name", async () => {
  await using host = await startExtension(extension);
  const tool = host.contribution(toolsPoint);

  const context = { conversationId: "1", cwd: "/", signal: AbortSignal.timeout(1_000) };
  expect(await tool.execute({ name: "Ada" }, context)).toBe("Hello, Ada!");
});

toolConformance("${word}_greet", {
  open: async (scope) => scope.use(await startExtension(extension)).contribution(toolsPoint),
  takes: [{ name: "Ada" }],
});
`,
  next: ({ word }) => [`incipit "Greet Ada with ${word}_greet"`],
};
