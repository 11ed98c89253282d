import express from "express";
import {
  authenticateHandler,
  getOAuthProtectedResourceMetadataUrl,
  MemoryOAuthServerModel,
  mcpAuthRouter,
  OAuthServer,
  requireBearerAuth,
} from "mcp-oauth-server";
import { answerMcp } from "./tools.js";

const port = Number(process.argv[2]);
const origin = `http://127.0.0.1:${port}`;
const resourceServerUrl = new URL(`${origin}/mcp`);

const issued = new Map();
class Model extends MemoryOAuthServerModel {
  async saveAccessToken(token) {
    issued.set(token.token, token.clientId);
    return await super.saveAccessToken(token);
  }
}
const model = new Model();
const provider = new OAuthServer({
  model,
  issuerUrl: new URL(origin),
  authorizationUrl: new URL(`${origin}/consent`),
  resourceServerUrl,
  scopesSupported: ["mcp:tools"],
});

const app = express();
app.use(mcpAuthRouter({ provider, resourceServerUrl, scopesSupported: ["mcp:tools"] }));
app.get("/consent", (request, response) => {
  const fields = [...new URL(request.originalUrl, origin).searchParams].map(
    ([name, value]) => `<input type="hidden" name="${Bun.escapeHTML(name)}" value="${Bun.escapeHTML(value)}">`,
  );
  response.send(`<form method="post" action="/confirm">${fields.join("")}<button>Allow</button></form>`);
});
app.use("/confirm", authenticateHandler({ provider, getUser: () => "somebody" }));
app.post("/expire", (_, response, next) => {
  const revoked = [...issued].map(([token, clientId]) => model.revokeAccessToken(token, clientId));
  Promise.all(revoked).then(({ length }) => response.send(String(length)), next);
});
app.all(
  "/mcp",
  requireBearerAuth({
    verifier: provider,
    requiredScopes: ["mcp:tools"],
    resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(resourceServerUrl),
    resource: resourceServerUrl,
  }),
  express.json(),
  (request, response) => {
    void answerInto(request, response);
  },
);

async function answerInto({ method, headers, body }, response) {
  const asked = new Request(resourceServerUrl, {
    method,
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
    ...(method === "POST" ? { body: JSON.stringify(body) } : {}),
  });
  const answer = await answerMcp(asked);
  response
    .status(answer.status)
    .set(Object.fromEntries(answer.headers))
    .send(await answer.text());
}

app.listen(port, "127.0.0.1");
