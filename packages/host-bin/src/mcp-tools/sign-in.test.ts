import { answerText, SignInServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import {
  never,
  redirectUrl,
  refusalOf,
  signIn,
  startSignInWorld,
  type SignInWorld,
} from "./testing/sign-in-world.ts";

test("a server that requires sign-in reports the command, and lists its tools afterwards", async () => {
  await using world = await startSignInWorld();

  const before = await world.servers.start("x", { signal: never });
  await signIn(world);

  expect(before.state).toBe("failed");
  expect(before.error).toContain("incipit mcp login x");
  expect(await world.world.call("x__echo")).toBe("done");
  expect(world.server.grants).toEqual(["authorization_code"]);
});

test("an expired token is refreshed in a session; a rejected refresh asks to sign in", async () => {
  await using world = await startSignInWorld();
  await signIn(world);

  world.server.expire();
  const renewed = await world.world.call("x__echo");
  world.server.expire({ withRefresh: true });
  const refused = await world.world.call("x__echo");

  expect(renewed).toBe("done");
  expect(refused).toContain("incipit mcp login x");
  expect(world.server.grants).toEqual(["authorization_code", "refresh_token", "refresh_token"]);
  expect(world.server.clients).toBe(1);
  await signIn(world);
  expect(await world.world.call("x__echo")).toBe("done");
});

test("a sign-out during a refresh is final", async () => {
  let signOut: (() => Promise<unknown>) | undefined;
  let signedOut: Promise<unknown> | undefined;
  await using world = await startSignInWorld(
    {},
    {
      tokens: () => {
        signedOut = signOut?.();
        return {};
      },
    },
  );
  await signIn(world);

  signOut = () => world.servers.signOut("x");
  world.server.expire();
  await world.world.call("x__echo");
  await signedOut;

  expect(world.server.grants).toEqual(["authorization_code", "refresh_token"]);
  expect((await world.servers.start("x", { signal: never })).error).toContain("incipit mcp login x");
});

test("concurrent calls with an expired token refresh it once", async () => {
  await using world = await startSignInWorld();
  await signIn(world);
  const tool = await world.world.tool("x__echo");
  const call = async (): Promise<string> =>
    answerText(await tool.execute({}, { conversationId: "conversation-1", cwd: "/", signal: never }));

  world.server.expire();
  const results = await Promise.all([call(), call(), call()]);

  expect(results).toEqual(["done", "done", "done"]);
  expect(world.server.grants).toEqual(["authorization_code", "refresh_token"]);
});

test("[attack:sign-in-of-another] finishSignIn() rejects foreign addresses, old ones, and another state", async () => {
  await using world = await startSignInWorld();
  const { server, servers } = world;
  const finish = (address: string): Promise<string> =>
    refusalOf(servers.finishSignIn("x", { address, signal: never }));

  const unasked = await finish(`${redirectUrl}?code=code-9&state=none`);
  const begin = async (): Promise<string> =>
    server.allow((await servers.beginSignIn("x", { redirectUrl })).authorizationUrl);
  const first = await begin();
  const second = new URL(await begin());
  const old = await finish(first);
  const denied = new URL(second);
  denied.searchParams.delete("code");
  denied.searchParams.set("error", "access_denied");
  const saidNo = await finish(String(denied));
  const after = await finish(String(second));

  expect(unasked).toBe('SIGN_IN_FAILED: The MCP server "x" waits for no sign-in: begin again');
  expect(old).toContain("did not start this sign-in");
  expect(saidNo).toContain("denied the sign-in: access_denied");
  expect(after).toContain("waits for no sign-in");
  expect(server.grants).toEqual([]);
});

test("[attack:sign-in-elsewhere] an authorization server at another address is called only when configured", async () => {
  await using elsewhere = new SignInServer({ mcp: () => new Response() });
  const issuer = (): string => elsewhere.origin;
  await using refused = await startSignInWorld({}, { issuer });
  await using othersAddress = await startSignInWorld({}, { issuer, granted: [elsewhere.origin] });
  await using othersEndpoint = await startSignInWorld(
    {},
    { granted: [elsewhere.origin], metadata: () => ({ token_endpoint: `${elsewhere.origin}/token` }) },
  );
  await using named = await startSignInWorld(
    { oauth_server: elsewhere.origin },
    { issuer, granted: [elsewhere.origin] },
  );

  const refusal = await refusalOf(refused.servers.beginSignIn("x", { redirectUrl }));
  const { authorizationUrl, foreignHost } = await named.servers.beginSignIn("x", { redirectUrl });

  expect(refusal).toContain(`write oauth_server = "${elsewhere.origin}"`);
  for (const world of [othersAddress, othersEndpoint])
    expect(await refusalOf(signIn(world))).toContain(`write oauth_server = "${elsewhere.origin}"`);
  expect(elsewhere.grants).toEqual([]);
  expect(new URL(authorizationUrl).origin).toBe(elsewhere.origin);
  expect(foreignHost).toBe(new URL(elsewhere.origin).host);
});

test("[attack:sign-in-foreign-host] beginSignIn() returns the host of an authorization address on another host", async () => {
  await using own = await startSignInWorld();
  await using foreign = await startSignInWorld(
    {},
    { metadata: () => ({ authorization_endpoint: "https://acme.dev.evil.example/a" }) },
  );

  expect((await own.servers.beginSignIn("x", { redirectUrl })).foreignHost).toBeNull();
  expect((await foreign.servers.beginSignIn("x", { redirectUrl })).foreignHost).toBe("acme.dev.evil.example");
});

test("[attack:sign-in-address-scheme] sign-in accepts only http(s) addresses without credentials", async () => {
  const addresses = [
    "javascript:alert(1)",
    "data:text/html,hello",
    "file:///etc/passwd",
    "vbscript:x",
    "ms-settings:network",
    "zoommtg://zoom.us/join",
    "ftp://127.0.0.1/x",
    "ws://127.0.0.1/x",
    "blob:http://127.0.0.1/1",
  ];
  let metadata: Readonly<Record<string, string>> = {};
  await using world = await startSignInWorld({}, { metadata: () => metadata });
  const { servers, server } = world;
  const refusals: string[] = [];
  for (const endpoint of ["authorization_endpoint", "registration_endpoint", "token_endpoint"])
    for (const address of [...addresses, "https://mcp.acme.dev@evil.example/authorize"]) {
      metadata = { [endpoint]: address };
      const signedIn = async (): Promise<unknown> => {
        const { authorizationUrl } = await servers.beginSignIn("x", { redirectUrl });
        if (endpoint === "authorization_endpoint") return authorizationUrl;
        return servers.finishSignIn("x", { address: await server.allow(authorizationUrl), signal: never });
      };
      refusals.push(await refusalOf(signedIn()));
    }

  for (const refusal of refusals) expect(refusal).toStartWith("SIGN_IN_FAILED");
  expect(refusals).toHaveLength(30);
});

test("[attack:secrets-of-a-sign-in] tokens appear in no state, error or log; a sign-out deletes them", async () => {
  await using world = await startSignInWorld();
  await signIn(world);
  await world.world.call("x__echo");
  world.server.expire({ withRefresh: true });
  const shown = [await world.world.call("x__echo"), JSON.stringify(await world.servers.list()), world.world.logs];

  const out = await world.servers.signOut("x");

  expect(shown.join("\n")).not.toMatch(/(?:access|refresh)-\d/);
  expect(out).toMatchObject({ state: "idle", tools: null });
  expect((await world.servers.start("x", { signal: never })).error).toContain("incipit mcp login x");
});

test("beginSignIn() rejects a server without oauth; signOut() rejects an unknown server", async () => {
  await using world = await startSignInWorld({ oauth: false });

  expect(await refusalOf(world.servers.beginSignIn("x", { redirectUrl }))).toContain('set "oauth = true"');
  expect(await refusalOf(world.servers.signOut("y"))).toContain("TOOL_SERVER_UNKNOWN");
});

test("[attack:sign-in-borrowed-issuer] credentials of an authorization server are not sent to a server that takes its name", async () => {
  await using elsewhere = new SignInServer({ mcp: () => new Response("{}"), requestedResource: null });
  let isTaken = false;
  let world: SignInWorld | undefined;
  const own = (): string => world?.server.origin ?? "";
  await using started = await startSignInWorld(
    { oauth_server: elsewhere.origin, oauth_scope: "tools" },
    {
      granted: [elsewhere.origin],
      issuer: () => (isTaken ? own() : elsewhere.origin),
      metadata: () => ({ issuer: elsewhere.origin }),
    },
  );
  world = started;
  const { servers, server } = world;
  const { authorizationUrl } = await servers.beginSignIn("x", { redirectUrl });
  const address = new URL(authorizationUrl);
  address.searchParams.delete("resource");
  await servers.finishSignIn("x", { address: await elsewhere.allow(String(address)), signal: never });

  isTaken = true;
  const { error } = await servers.start("x", { signal: never });

  expect(elsewhere.grants[0]).toBe("authorization_code");
  expect(server.grants).toEqual([]);
  expect(error).toContain("incipit mcp login x");
});

test("[attack:sign-in-mixed-endpoints] a code of the configured authorization server is not sent to another", async () => {
  const issuer = "https://accounts.acme.dev";
  await using world = await startSignInWorld(
    { oauth_server: issuer },
    { metadata: () => ({ issuer, authorization_endpoint: `${issuer}/authorize` }) },
  );

  const refusal = await refusalOf(world.servers.beginSignIn("x", { redirectUrl }));

  expect(refusal).toContain(issuer);
  expect(world.server.clients).toBe(0);
});

test("a sign-out while a code is exchanged is final", async () => {
  let signedOut: Promise<unknown> | undefined;
  await using world = await startSignInWorld(
    {},
    {
      tokens: () => {
        signedOut = world.servers.signOut("x");
        return {};
      },
    },
  );
  const { server, servers } = world;

  const address = await server.allow((await servers.beginSignIn("x", { redirectUrl })).authorizationUrl);
  await servers.finishSignIn("x", { address, signal: never }).catch(() => {});
  await signedOut;

  expect((await servers.start("x", { signal: never })).error).toContain("incipit mcp login x");
});
