import { dirname, join } from "node:path";

const hostFolder = join(import.meta.dir, "../../packages/host-bin");
const everything = Bun.resolveSync("@modelcontextprotocol/server-everything/dist/index.js", hostFolder);
const sdk = (path: string): string => Bun.resolveSync(`@modelcontextprotocol/sdk/${path}`, dirname(everything));

export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

/** Lists the tools of a JSON file in pages and appends each call to `FILE.calls` as a JSON line. */
export const manyToolsServer = `
import { Server } from ${JSON.stringify(sdk("server/index.js"))};
import { StdioServerTransport } from ${JSON.stringify(sdk("server/stdio.js"))};
import { CallToolRequestSchema, ListToolsRequestSchema } from ${JSON.stringify(sdk("types.js"))};
import { appendFileSync, readFileSync } from "node:fs";

const [, , file] = process.argv;
const pageSize = 500;
const server = new Server({ name: "many", version: "1.0.0" }, { capabilities: { tools: { listChanged: true } } });
server.setRequestHandler(ListToolsRequestSchema, async ({ params }) => {
  const all = JSON.parse(readFileSync(file, "utf8"));
  const start = Number(params?.cursor ?? 0);
  const next = start + pageSize;
  return { tools: all.slice(start, next), ...(next < all.length ? { nextCursor: String(next) } : {}) };
});
server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
  appendFileSync(file + ".calls", JSON.stringify([params.name, params.arguments]) + "\\n");
  if (params.name === "reload") await server.sendToolListChanged();
  const said = params.name === "say" ? params.arguments.text : params.name + " ran with " + JSON.stringify(params.arguments);
  return { content: [{ type: "text", text: said }] };
});
await server.connect(new StdioServerTransport());
`;

const objects = [
  "invoice",
  "customer",
  "shipment",
  "contract",
  "employee",
  "ledger",
  "warehouse",
  "refund",
] as const;
const verbs = ["create", "read", "update", "archive", "list", "export"] as const;

/** One per verb, object and region, like a large business system's. */
export function manyTools(count: number): readonly ListedTool[] {
  return Array.from({ length: count }, (_, index) => {
    const verb = verbs[index % verbs.length] ?? "";
    const object = objects[Math.floor(index / verbs.length) % objects.length] ?? "";
    const region = Math.floor(index / (verbs.length * objects.length));
    return {
      name: `${verb}_${object}_r${region}`,
      description: `${verb} one ${object} of the region ${region}, and tell what came of it.`,
      inputSchema: {
        type: "object",
        properties: {
          id: { type: "string", description: `The number of the ${object}` },
          amount: { type: "integer", minimum: 1 },
        },
        required: ["id"],
        additionalProperties: false,
      },
    };
  });
}
