import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { join } from "node:path";
import { spread } from "./format.ts";
import { startHostProcess } from "./host-process.ts";
import type { Row } from "./table.ts";
import { timeTurn } from "./time-turn.ts";

const toolCount = 10_000;
const rounds = 20;
const manifest = { id: "bench.many", version: "1.0.0", api: "^1", contributes: ["tool-sources@1"] };
const code = `import { defineExtension } from "@incipit/kernel";
import { toolSourcesPoint } from "@incipit/service-contract";
const verbs = ["create", "read", "update", "archive", "list"];
const tools = Array.from({ length: ${toolCount} }, (_, index) => ({
  name: verbs[index % verbs.length] + "_object_" + index,
  description: verbs[index % verbs.length] + " object " + index + " of the ledger, and tell what came of it in a few words.",
  inputSchema: {
    type: "object",
    properties: { id: { type: "string", description: "The number of the object" }, amount: { type: "integer" } },
    required: ["id"],
  },
  isReadOnly: true,
  execute: async () => "done",
}));
export default defineExtension(${JSON.stringify(manifest)}, (host) => {
  host.contribute(toolSourcesPoint, {
    id: "many",
    tools: async ({ call }) => ({ tools: call === undefined ? tools : tools.filter(({ name }) => name === call), problems: [] }),
  });
});
`;

export async function lookup(): Promise<readonly Row[]> {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer();
  const extension = join(folder.path, "many");
  await Bun.write(join(extension, "package.json"), JSON.stringify({ name: "bench-many", incipit: manifest }));
  await Bun.write(join(extension, "src/index.ts"), code);
  const settings = `[extensions]\npaths = ["${extension}"]`;
  await using host = await startHostProcess({ folder: folder.path, modelUrl: model.url, settings });
  const { client } = host;
  const times: Readonly<Record<"begin" | "none" | "search" | "call", number[]>> = {
    begin: [],
    none: [],
    search: [],
    call: [],
  };
  for (let round = 0; round < rounds; round += 1) {
    const { conversation } = await client.call(routes.createConversation, { body: {} });
    const time = async (tool?: { readonly name: string; readonly input: object }): Promise<number> => {
      if (tool !== undefined) {
        const call = { id: `call-${tool.name}`, name: tool.name, arguments: JSON.stringify(tool.input) };
        model.enqueue({ kind: "tool-calls", calls: [call] });
      }
      return (await timeTurn(client, conversation.id, model)).ownMs;
    };
    times.begin.push(await time());
    times.none.push(await time());
    times.search.push(await time({ name: "search_tools", input: { query: `archive object ${round}` } }));
    const name = `archive_object_${round * 5 + 3}`;
    times.call.push(await time({ name: "call_tool", input: { name, input: { id: "1" } } }));
    const body = model.requests.at(-1)?.body ?? "";
    if (!body.includes(`archive_object_`) || !body.includes('"content":"done"'))
      throw new Error(`Nothing was found and run: ${body.slice(-500)}`);
  }
  return [
    {
      subject: `the first turn of a conversation with ${toolCount.toLocaleString("en")} tools`,
      measured: spread(times.begin),
    },
    { subject: "– a turn after it", measured: spread(times.none) },
    { subject: "– with a step that searches", measured: spread(times.search) },
    { subject: "– with a step that runs what was found", measured: spread(times.call) },
  ];
}
