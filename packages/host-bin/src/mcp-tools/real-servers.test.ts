import { answerText, createTempFolder, toolConformance } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { realpath } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { McpWorld } from "./testing/mcp-world.ts";
import { everythingServer, filesystemServer } from "./testing/real-servers.ts";

/** At a port that was free a moment earlier. */
class EverythingOverHttp implements AsyncDisposable {
  readonly url: string;
  readonly #child: Bun.Subprocess;

  private constructor(url: string, child: Bun.Subprocess) {
    this.url = url;
    this.#child = child;
  }

  static async start(): Promise<EverythingOverHttp> {
    const port = await freePort();
    const child = Bun.spawn([process.execPath, everythingServer, "streamableHttp"], {
      env: { PATH: process.env["PATH"] ?? "", PORT: String(port) },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
    });
    const reader = child.stderr.getReader();
    let said = "";
    while (!said.includes(`port ${port}`)) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`The server ended: ${said}`);
      said += new TextDecoder().decode(value);
    }
    void reader.cancel();
    return new EverythingOverHttp(`http://127.0.0.1:${port}/mcp`, child);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function startEverything(scope: AsyncDisposableStack, transport: "stdio" | "http"): Promise<McpWorld> {
  if (transport === "stdio") {
    const server = { command: process.execPath, args: [everythingServer, "stdio"] };
    return scope.use(await McpWorld.start(() => ({ all: server })));
  }
  const { url } = scope.use(await EverythingOverHttp.start());
  return scope.use(await McpWorld.start(() => ({ all: { url } })));
}

toolConformance("get-sum of server-everything", {
  takes: [{ a: 1, b: 2 }],
  open: async (scope) => (await startEverything(scope, "stdio")).tool("all__get-sum"),
  deadlineMs: 20_000,
});

for (const transport of ["stdio", "http"] as const) {
  test(`mcp-tools supports text, structure, pictures, links and errors of server-everything over ${transport}`, async () => {
    await using scope = new AsyncDisposableStack();
    const world = await startEverything(scope, transport);

    const { tools, problems } = await world.list();

    expect(problems).toEqual([]);
    expect(tools.length).toBeGreaterThan(10);
    expect(tools.find(({ name }) => name === "all__echo")).toMatchObject({
      description: "Echoes back the input string",
      isReadOnly: true,
      inputSchema: { type: "object", required: ["message"] },
    });
    expect(await world.call("all__echo", { message: "hi 🎉" })).toBe("Echo: hi 🎉");
    expect(await world.call("all__get-sum", { a: 2, b: 3 })).toContain("5");
    expect(JSON.parse(await world.call("all__get-structured-content", { location: "New York" }))).toMatchObject({
      temperature: expect.any(Number),
    });
    expect(await world.call("all__get-tiny-image")).toMatch(/\[image image\/png, \d+ bytes\]/);
    expect(await world.call("all__get-resource-links", { count: 1 })).toContain("[resource demo://resource/");
    expect(await world.call("all__get-resource-reference", {})).toMatch(
      /\[resource demo:\S+ text\/plain\]\nResource 1/,
    );
    expect(await world.call("all__echo", { message: 7 })).toMatch(/^error: .*Invalid arguments for tool echo/);
  });
}

for (const transport of ["stdio", "http"] as const) {
  test(`mcp-tools forwards each progress step of server-everything over ${transport}`, async () => {
    await using scope = new AsyncDisposableStack();
    const world = await startEverything(scope, transport);
    const tool = await world.tool("all__trigger-long-running-operation");
    const told: unknown[] = [];
    const context = { conversationId: "conversation-1", cwd: "/", signal: new AbortController().signal };

    await tool.execute({ duration: 0.1, steps: 3 }, { ...context, tellProgress: (step) => void told.push(step) });

    expect(told).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3 })));
  });
}

test("mcp-tools reads and writes with server-filesystem over stdio, and reports its access error", async () => {
  await using temp = await createTempFolder();
  const folder = await realpath(temp.path);
  await Bun.write(join(folder, "a.txt"), "in the file");
  const args = [filesystemServer, folder];
  await using world = await McpWorld.start(() => ({ files: { command: process.execPath, args } }));

  const { tools } = await world.list();
  const isReadOnly = new Map(tools.map((tool) => [tool.name, tool.isReadOnly]));

  expect([isReadOnly.get("files__read_text_file"), isReadOnly.get("files__write_file")]).toEqual([true, false]);
  expect(await world.call("files__read_text_file", { path: join(folder, "a.txt") })).toBe("in the file");
  await world.call("files__write_file", { path: join(folder, "b.txt"), content: "written" });
  expect(await Bun.file(join(folder, "b.txt")).text()).toBe("written");
  expect(await world.call("files__read_text_file", { path: "/etc/hostname" })).toMatch(/^error: Access denied/);
});

test("mcp-tools routes elicitations of concurrent calls over HTTP to their own conversations", async () => {
  await using scope = new AsyncDisposableStack();
  const world = await startEverything(scope, "http");
  const tool = await world.tool("all__trigger-elicitation-request");
  const both = Promise.withResolvers<void>();
  const asked: string[] = [];
  const call = async (conversationId: string): Promise<string> => {
    const askValues: NonNullable<Parameters<typeof tool.execute>[1]["askValues"]> = async ({ fields }) => {
      asked.push(`${conversationId} ${fields.length}`);
      if (asked.length === 2) both.resolve();
      await both.promise;
      return { action: "accept", reason: "answered", content: { name: `of ${conversationId}` } };
    };
    const { signal } = new AbortController();
    return answerText(await tool.execute({}, { conversationId, cwd: "/", signal, askValues }));
  };

  const [first, second] = await Promise.all([call("a"), call("b")]);

  expect(asked.toSorted()).toEqual(["a 13", "b 13"]);
  expect(first).toContain("- Name: of a");
  expect(second).toContain("- Name: of b");
});
