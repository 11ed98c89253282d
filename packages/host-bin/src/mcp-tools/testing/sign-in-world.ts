import type { JsonValue } from "@incipit/kernel";
import { ServiceError, type ToolServers } from "@incipit/service-contract";
import { SignInServer, type SignInServerOptions } from "@incipit/testkit";
import { startMcpHttpServer, textResult } from "./mcp-http-server.ts";
import { McpWorld } from "./mcp-world.ts";

export const never = new AbortController().signal;
export const redirectUrl = "http://127.0.0.1:8976/callback";

export interface SignInWorld extends AsyncDisposable {
  readonly server: SignInServer;
  readonly world: McpWorld;
  readonly servers: ToolServers;
}

export interface SignInWorldOptions extends Omit<SignInServerOptions, "mcp"> {
  readonly mcp?: () => Response | undefined;
  readonly granted?: readonly string[];
}

export async function startSignInWorld(
  settings: Readonly<Record<string, JsonValue>> = {},
  { mcp: answer, ...options }: SignInWorldOptions = {},
): Promise<SignInWorld> {
  await using stack = new AsyncDisposableStack();
  const tools = stack.use(
    startMcpHttpServer(({ id }) => Response.json({ jsonrpc: "2.0", id, result: textResult("done") })),
  );
  const mcp = (request: Request): Response | Promise<Response> =>
    answer?.() ?? fetch(new Request(tools.url, request));
  const server = stack.use(new SignInServer({ mcp, ...options }));
  const grant = {
    spawn: true,
    net: [server.origin, ...(options.granted ?? [])].map((origin) => `private:${new URL(origin).host}`),
    env: true,
    storage: { namespaces: ["sign-ins"] },
  } as const;
  const world = stack.use(
    await McpWorld.start(() => ({ x: { url: server.url, oauth: true, ...settings } }), { grant }),
  );
  const owned = stack.move();
  return { server, world, servers: world.servers, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

export async function signIn({ server, servers }: SignInWorld): Promise<void> {
  const address = await server.allow((await servers.beginSignIn("x", { redirectUrl })).authorizationUrl);
  const { state, error } = await servers.finishSignIn("x", { address, signal: never });
  if (state !== "running") throw new Error(`The server is ${state}: ${error}`);
}

export async function refusalOf(asked: Promise<unknown>): Promise<string> {
  const refusal: unknown = await asked.catch((error: unknown) => error);
  if (!ServiceError.is(refusal)) throw new Error("It was not refused");
  return `${refusal.code}: ${refusal.message}`;
}
