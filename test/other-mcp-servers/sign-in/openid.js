import { FastMCP } from "fastmcp";
import { createServer } from "node:http";
import { Provider } from "oidc-provider";
import { answer } from "./tools.js";

const port = Number(process.argv[2]);
const issuer = `http://127.0.0.1:${process.argv[3]}`;
const resource = `http://127.0.0.1:${port}/mcp`;

const provider = new Provider(issuer, {
  clientAuthMethods: ["none", "client_secret_basic", "client_secret_post"],
  features: {
    registration: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: () => ({ scope: "notes:read", accessTokenFormat: "opaque" }),
      defaultResource: () => resource,
      useGrantedResource: () => true,
    },
  },
  scopes: ["openid", "offline_access", "notes:read"],
  issueRefreshToken: () => true,
  pkce: { required: () => true },
});
const issued = [];
provider.on("access_token.saved", (token) => issued.push(token));
const callback = provider.callback();
const authorization = createServer((request, response) => {
  if (request.url !== "/expire") {
    callback(request, response);
    return;
  }
  void Promise.all(issued.map((token) => token.destroy())).then(({ length }) => response.end(String(length)));
});
await new Promise((resolve) => authorization.listen(Number(process.argv[3]), "127.0.0.1", resolve));

const metadata = `http://127.0.0.1:${port}/.well-known/oauth-protected-resource/mcp`;
const server = new FastMCP({
  name: "notes",
  version: "1.0.0",
  oauth: {
    enabled: true,
    protectedResource: { resource, authorizationServers: [issuer], scopesSupported: ["notes:read"] },
  },
  authenticate: async ({ headers }) => {
    const token = await provider.AccessToken.find(headers.authorization?.replace(/^Bearer /, "") ?? "");
    if (token !== undefined && token.isValid) return { user: token.accountId };
    throw new Response(null, {
      status: 401,
      headers: { "www-authenticate": `Bearer resource_metadata="${metadata}"` },
    });
  },
});
server.addTool({ name: "notes", description: "Reads the notes", execute: async () => answer });
await server.start({ transportType: "httpStream", httpStream: { port, host: "127.0.0.1", stateless: true } });
