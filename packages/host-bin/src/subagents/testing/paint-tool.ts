import { defineExtension, type Extension } from "@incipit/kernel";
import { toolsPoint } from "@incipit/service-contract";

export function paintTools(ran: string[]): Extension {
  return defineExtension({ id: "test.paint", version: "1.0.0", api: "^1", contributes: ["tools@1"] }, (host) => {
    for (const [name, approval] of [
      ["paint", "ask"],
      ["look", "allow"],
    ] as const)
      host.contribute(toolsPoint, {
        name,
        description: "For a test",
        inputSchema: { type: "object", properties: { colour: { type: "string" } } },
        approval,
        async execute(input, { conversationId }) {
          ran.push(`${name} ${JSON.stringify(input)} in ${conversationId}`);
          return `${name}ed`;
        },
      });
  });
}
