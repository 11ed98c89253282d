import { createTempFolder, startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { routes, type Client } from "@incipit/transport-contract";
import { join } from "node:path";
import { spread } from "./format.ts";
import { startHostProcess } from "./host-process.ts";
import { percentile, takeTurns } from "./measure.ts";
import type { Row } from "./table.ts";
import { timeTurn } from "./time-turn.ts";

const callsOfStep = 10;
const rounds = 60;
const manifest = { id: "bench.tool", version: "1.0.0", api: "^1", contributes: ["tools@1"] };
const code = `import { defineExtension } from "@incipit/kernel";
import { toolsPoint } from "@incipit/service-contract";
export default defineExtension(${JSON.stringify(manifest)}, (host) => {
  host.contribute(toolsPoint, {
    name: "say_done",
    description: "Says that it is done",
    inputSchema: { type: "object", properties: { path: { type: "string" } } },
    isReadOnly: true,
    execute: async () => "done",
  });
});
`;

/** The second turn: equal history, and a prompt. */
async function timeSecondTurn(client: Client, model: RecordingModelServer, tool?: string): Promise<number> {
  const { conversation } = await client.call(routes.createConversation, { body: {} });
  await timeTurn(client, conversation.id, model);
  if (tool !== undefined) {
    const calls = Array.from({ length: callsOfStep }, (_, index) => ({
      id: `call-${index}`,
      name: tool,
      arguments: '{"path":"note.txt"}',
    }));
    model.enqueue({ kind: "tool-calls", calls });
  }
  const { ownMs } = await timeTurn(client, conversation.id, model);
  if (tool !== undefined) checkResults(model.requests.at(-1)?.body ?? "", tool);
  return ownMs;
}

/** A failing call has another cost. */
function checkResults(body: string, tool: string): void {
  const results = body.match(/"role":"tool"/g)?.length ?? 0;
  if (results !== callsOfStep || !body.includes('"content":"done"'))
    throw new Error(`The model was sent ${results} results of "${tool}": ${body.slice(-500)}`);
}

export async function tools(): Promise<readonly Row[]> {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer();
  await Bun.write(join(folder.path, "note.txt"), "done");
  const extension = join(folder.path, "tool");
  await Bun.write(join(extension, "package.json"), JSON.stringify({ name: "bench-tool", incipit: manifest }));
  await Bun.write(join(extension, "src/index.ts"), code);
  const settings = `[tools]\nworkspace = true\n[extensions]\npaths = ["${extension}"]`;
  await using host = await startHostProcess({ folder: folder.path, modelUrl: model.url, settings });
  const samples = await takeTurns(
    {
      none: () => timeSecondTurn(host.client, model),
      trivial: () => timeSecondTurn(host.client, model, "say_done"),
      read: () => timeSecondTurn(host.client, model, "read_file"),
    },
    { rounds, warmUpRounds: 20 },
  );
  const of = (name: string): readonly number[] => samples.get(name) ?? [];
  const median = (name: string): number => percentile(of(name), 0.5);
  const perStep = (name: string): string => {
    const stepMs = median(name) - median("none");
    return `${stepMs.toFixed(2)} ms, ${(stepMs / callsOfStep).toFixed(2)} ms a call`;
  };
  return [
    { subject: "a turn without a tool call, the host in its own process", measured: spread(of("none")) },
    { subject: `a turn with a step of ${callsOfStep} tool calls`, measured: spread(of("trivial")) },
    { subject: "– what that step adds, with a tool that does nothing", measured: perStep("trivial") },
    { subject: "– with `read_file` of a small file", measured: perStep("read") },
  ];
}
