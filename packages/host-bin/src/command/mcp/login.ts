import { escapeHiddenLine } from "@incipit/schema/text";
import { routes, type Client, type ToolServerInfo } from "@incipit/transport-contract";
import type { Output } from "../output/output.ts";

const loginMs = 10 * 60_000;
const path = "/callback";

const plain = { "content-type": "text/plain; charset=utf-8", connection: "close" };

/**
 * Signs in to a server in the browser, which returns to this process by a loopback redirect (RFC 8252, section 7.3).
 * @throws {Error} when the browser does not return in time.
 * @throws {ApiClientError} when the host rejects the sign-in.
 */
export async function login(client: Client, name: string, output: Output): Promise<ToolServerInfo> {
  const back = Promise.withResolvers<string>();
  let state: string | undefined;
  await using stack = new AsyncDisposableStack();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const url = new URL(request.url);
      if (url.pathname !== path || request.method !== "GET") return new Response("Not found\n", { status: 404 });
      const [given, ...others] = url.searchParams.getAll("state");
      // Any web page can send a browser to this address.
      if (state === undefined || given !== state || others.length > 0)
        return new Response("This is not an answer to the sign-in, which still waits for one. Close this page.\n", {
          status: 400,
          headers: plain,
        });
      back.resolve(request.url);
      return new Response("Thank you. The terminal says how it went; you can close this page.\n", {
        headers: plain,
      });
    },
  });
  stack.defer(() => server.stop());
  const redirectUrl = `http://127.0.0.1:${server.port}${path}`;
  const { authorizationUrl, foreignHost } = await client.call(routes.beginToolServerSignIn, {
    params: { name },
    body: { redirectUrl },
  });
  state = new URL(authorizationUrl).searchParams.get("state") ?? undefined;
  if (foreignHost !== null)
    output.errLine(
      `Note: "${escapeHiddenLine(name)}" signs you in at ${escapeHiddenLine(foreignHost)}, another host than its own. Go on only if you know it.`,
    );
  output.errLine("Open this address in a browser on this machine, and sign in:");
  output.outLine(escapeHiddenLine(authorizationUrl));
  output.errLine(`Waiting for ${loginMs / 60_000} minutes; Ctrl-C stops it.`);
  const timer = setTimeout(
    () => back.reject(new Error(`Nobody signed in within ${loginMs / 60_000} minutes; try it again`)),
    loginMs,
  );
  stack.defer(() => clearTimeout(timer));
  const address = await back.promise;
  const { server: shown } = await client.call(routes.finishToolServerSignIn, {
    params: { name },
    body: { address },
  });
  return shown;
}
