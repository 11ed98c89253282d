import type { ModelReply } from "@incipit/testkit";
import { join } from "node:path";

const program = join(import.meta.dir, "../../packages/host-bin/src/mcp-tools/testing/mcp-fixture-server.ts");

export const askingServer = `[mcp.servers.tides]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify([program, "elicits"])}\n`;

export function askingModel(...forms: readonly object[]): readonly ModelReply[] {
  const input = JSON.stringify({ text: JSON.stringify(forms) });
  return [
    { kind: "tool-calls", calls: [{ id: "call-1", name: "tides__echo", arguments: input }] },
    { kind: "text", chunks: ["Done."] },
  ];
}

export function formOf(message: string, properties: object, required: readonly string[] = []): object {
  return { message, requestedSchema: { type: "object", properties, required } };
}
