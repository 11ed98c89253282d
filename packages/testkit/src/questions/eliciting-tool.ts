import { defineExtension, type Extension } from "@incipit/kernel";
import { toolsPoint, type ValuesAnswer } from "@incipit/service-contract";

export function elicitingTool(answers: ValuesAnswer[]): Extension {
  return defineExtension({ id: "test.curious", version: "1.0.0", api: "^1", contributes: ["tools@1"] }, (host) => {
    host.contribute(toolsPoint, {
      name: "ask",
      description: "Asks",
      inputSchema: { type: "object" },
      approval: "allow",
      async execute(_, { askValues }) {
        const fields = [{ kind: "text", name: "city", isRequired: true }] as const;
        const answer = await askValues?.({ message: "Which city?", fields });
        if (answer !== undefined) answers.push(answer);
        return `It was told: ${answer?.action}`;
      },
    });
  });
}
