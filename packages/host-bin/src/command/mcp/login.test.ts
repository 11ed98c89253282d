import { createClient, type ToolServerInfo } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { createOutput } from "../output/output.ts";
import { login } from "./login.ts";

const server: ToolServerInfo = {
  name: "notes",
  target: "https://mcp.acme.dev/mcp",
  state: "running",
  error: null,
  tools: [],
  problems: [],
  instructions: null,
};

interface Visit {
  readonly status: number;
  readonly text: string;
}

interface Signed {
  readonly stderr: string;
  readonly visits: readonly Visit[];
  readonly finished: readonly unknown[];
}

async function signIn(
  visits: readonly ((back: string) => string)[],
  { foreignHost = null }: { readonly foreignHost?: string | null } = {},
): Promise<Signed> {
  const answers: Visit[] = [];
  const finished: unknown[] = [];
  let back = "";
  let stderr = "";
  let visiting: Promise<void> | undefined;
  const visit = async (): Promise<void> => {
    for (const address of visits) {
      const answer = await fetch(address(back));
      answers.push({ status: answer.status, text: await answer.text() });
    }
  };
  const client = createClient({
    url: "http://host.test",
    token: "token",
    async fetch(address, { body }) {
      const asked: unknown = await new Response(body).json();
      if (address.endsWith("/finish")) {
        finished.push(asked);
        await visiting;
        return Response.json({ server });
      }
      back = String(Object(asked).redirectUrl);
      return Response.json({ authorizationUrl: "https://auth.acme.dev/authorize?state=right", foreignHost });
    },
  });
  const ignored = (): Promise<void> => Promise.resolve();
  const output = createOutput({
    write(stream, text) {
      if (stream === "stderr") stderr += text;
      if (text.includes("Ctrl-C")) visiting ??= visit();
    },
    writeWhenTaken: ignored,
    announce: ignored,
    keepForProtocol: () => {},
    isScreen: () => false,
    columns: () => undefined,
    env: {},
  });
  expect(await login(client, "notes", output)).toEqual(server);
  return { stderr, visits: answers, finished };
}

test("[attack:sign-in-wrong-callback] login answers a callback with a wrong state with an error and keeps waiting", async () => {
  const { visits, finished } = await signIn([
    (back) => `${back}?code=forged&state=wrong`,
    (back) => `${back}?code=forged`,
    (back) => `${back}?error=access_denied&error_description=no`,
    (back) => `${back}?error=access_denied&state=wrong`,
    (back) => `${back}?code=forged&state=wrong&state=right`,
    (back) => back,
    (back) => new URL("/favicon.ico", back).href,
    (back) => `${back}?code=mine&state=right`,
    (back) => `${back}?code=mine&state=right`,
  ]);

  expect(visits.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400, 404, 200, 200]);
  expect(visits[0]?.text).toContain("still waits");
  expect(finished).toEqual([{ address: expect.stringMatching(/\/callback\?code=mine&state=right$/) }]);
});

test("login ends when the authorization server refuses with the right state", async () => {
  const { finished } = await signIn([(back) => `${back}?error=access_denied&state=right`]);

  expect(finished).toEqual([{ address: expect.stringContaining("error=access_denied&state=right") }]);
});

test("[attack:sign-in-foreign-host] login names a foreign authorization host before the address", async () => {
  const own = await signIn([(back) => `${back}?code=mine&state=right`]);
  const foreign = await signIn([(back) => `${back}?code=mine&state=right`], { foreignHost: "auth.acme.dev" });

  expect(own.stderr).not.toContain("another host");
  expect(foreign.stderr).toMatch(/^Note: "notes" signs you in at auth\.acme\.dev, another host than its own/);
});
