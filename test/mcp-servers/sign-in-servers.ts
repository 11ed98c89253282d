import { join } from "node:path";
import { ownPort } from "../support/own-port.ts";
import { installed, type OtherServer } from "./servers.ts";

export interface SignInServerOfOthers {
  readonly server: OtherServer;
  readonly hostname?: "localhost";
  readonly issuer?: string;
  /** A POST to it expires all access tokens. Absent without refresh tokens, or when tokens are not exposed. */
  readonly expirePath?: string;
  readonly forms: number;
}

const programs = join(import.meta.dir, "../other-mcp-servers/sign-in");
const call = { tool: "notes", input: {} };
const answer = "what the signed-in user has noted";

/** Five implementations of OAuth 2.1, each with its own metadata, registration and pages. */
export async function signInServers(): Promise<readonly SignInServerOfOthers[]> {
  const [sdk, openid, fastmcp] = [await ownPort(), await ownPort(), await ownPort()];
  const program = (name: string, issuerPort?: number): OtherServer => ({
    name,
    file: join(programs, `${name}.js`),
    call,
    answer,
    http: (port) => ({ args: [String(port), ...(issuerPort === undefined ? [] : [String(issuerPort)])] }),
  });
  return [
    {
      server: {
        name: "sdk",
        file: installed("@modelcontextprotocol/sdk/dist/esm/examples/server/simpleStreamableHttp.js"),
        call: { tool: "greet", input: { name: "Ada" } },
        answer: "Hello, Ada!",
        http: (port) => ({
          args: ["--oauth", "--oauth-strict"],
          env: { MCP_PORT: String(port), MCP_AUTH_PORT: String(sdk), NO_PROXY: "127.0.0.1,localhost" },
        }),
      },
      hostname: "localhost",
      issuer: `http://localhost:${sdk}`,
      forms: 0,
    },
    { server: program("workers"), expirePath: "/expire", forms: 1 },
    { server: program("express"), expirePath: "/expire", forms: 1 },
    {
      server: program("openid", openid),
      issuer: `http://127.0.0.1:${openid}`,
      expirePath: "/expire",
      forms: 2,
    },
    { server: program("fastmcp", fastmcp), forms: 3 },
  ];
}
