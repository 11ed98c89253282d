import { FastMCP, OAuthProvider, requireAuth } from "fastmcp";
import { createServer } from "node:http";
import { Provider } from "oidc-provider";
import { answer } from "./tools.js";

const port = Number(process.argv[2]);
const issuer = `http://127.0.0.1:${process.argv[3]}`;
const baseUrl = `http://127.0.0.1:${port}`;

const upstream = new Provider(issuer, {
  clients: [
    {
      client_id: "notes",
      client_secret: "secret-of-the-server",
      redirect_uris: [`${baseUrl}/oauth/callback`],
      grant_types: ["authorization_code", "refresh_token"],
    },
  ],
  issueRefreshToken: () => true,
  pkce: { required: () => false },
});
const signIn = createServer(upstream.callback());
await new Promise((resolve) => signIn.listen(Number(process.argv[3]), "127.0.0.1", resolve));

const server = new FastMCP({
  name: "notes",
  version: "1.0.0",
  auth: new OAuthProvider({
    authorizationEndpoint: `${issuer}/auth`,
    tokenEndpoint: `${issuer}/token`,
    baseUrl,
    clientId: "notes",
    clientSecret: "secret-of-the-server",
    scopes: ["openid"],
    allowedRedirectUriPatterns: ["http://127.0.0.1:*"],
  }),
});
server.addTool({
  name: "notes",
  description: "Reads the notes",
  canAccess: requireAuth,
  execute: async () => answer,
});
await server.start({ transportType: "httpStream", httpStream: { port, host: "127.0.0.1" } });
