import { accessTokenSchema, type AccessToken } from "@incipit/schema";
import { expect, test } from "bun:test";
import { refusal } from "../testing/answering-host.ts";
import { tokenLine } from "./tokens.ts";
import { runAgainst, type RanAgainst } from "../testing/run-command.ts";

const token = accessTokenSchema.parse({
  id: "01a1fcd7-5c9a-7556-afda-76769002c75c",
  kind: "token",
  name: "laptop",
  scopes: ["read", "converse"],
  state: "active",
  createdAt: "2026-11-23T14:00:00.000Z",
  createdBy: null,
  endsAt: "2026-12-23T14:00:00.000Z",
  revokedAt: null,
  lastUsedAt: null,
} satisfies Record<keyof AccessToken, unknown>);
const secret = `incipit_${"x".repeat(43)}`;

function run(words: readonly string[], ...answers: readonly unknown[]): Promise<RanAgainst> {
  return runAgainst(["token", ...words], ...answers);
}

test("token new prints only the token to stdout, with its scopes on stderr", async () => {
  const { stdout, stderr, requests } = await run(
    ["new", "--scope", "read, converse", "--days", "7", "--name", "laptop"],
    { token, secret },
  );

  expect(stdout).toBe(`${secret}\n`);
  expect(stderr).toContain("read, converse. It expires on 2026-12-23");
  expect(stderr).toContain(`incipit token revoke ${token.id}`);
  expect(requests).toEqual([
    { route: "POST /tokens", body: { scopes: ["read", "converse"], days: 7, name: "laptop" } },
  ]);
});

test("token new defaults to 30 days and prints one line with --json", async () => {
  const { stdout, stderr, requests } = await run(["new", "--scope", "read", "--json"], { token, secret });

  expect(requests).toMatchObject([{ body: { scopes: ["read"], days: 30 } }]);
  expect(JSON.parse(stdout)).toEqual({ ...token, secret });
  expect(stderr).toBe("");
});

test("token list prints a line per token and reports an empty list", async () => {
  const revoked = { ...token, state: "revoked", name: null, revokedAt: "2026-11-24T00:00:00.000Z" };
  const two = { tokens: [token, revoked] };

  expect((await run(["list"], two)).stdout.trimEnd().split("\n")).toHaveLength(2);
  expect(
    (await run(["list", "--json"], two)).stdout
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line)),
  ).toEqual([token, revoked]);
  expect((await run(["list"], { tokens: [] })).stderr).toContain("No token was created");
});

test("tokenLine prints scopes, expiry, last use and the sanitized name", () => {
  expect(tokenLine(token)).toBe(
    "01a1fcd7-5c9a-7556-afda-76769002c75c  made 2026-11-23  until 2026-12-23    never used                 read, converse  laptop",
  );
  expect(tokenLine({ ...token, kind: "browser", name: "Firefox on Linux" })).toEndWith(
    "all, signed in  Firefox on Linux",
  );
  const used = { ...token, state: "ended", lastUsedAt: "2026-11-23T15:01:02.000Z", name: "a\u001B[2Jb" } as const;
  expect(tokenLine(used)).toContain("ended 2026-12-23    used 2026-11-23 15:01 UTC");
  expect(tokenLine(used)).not.toContain("\u001B");
});

test("token revoke accepts an id, or a name unique among active tokens", async () => {
  const other = { ...token, id: "01a1fcd7-5c9a-7556-afda-000000000001", name: "phone" };
  const gone = { ...other, id: "01a1fcd7-5c9a-7556-afda-000000000002", state: "revoked" };
  const list = { tokens: [token, other, gone] };
  const answer = { token: { ...token, state: "revoked" } };

  expect((await run(["revoke", token.id], list, answer)).requests.at(-1)?.route).toBe(`DELETE /tokens/${token.id}`);
  expect((await run(["revoke", "phone"], list, answer)).requests.at(-1)?.route).toBe(`DELETE /tokens/${other.id}`);
  const twice = { tokens: [other, { ...token, name: "phone" }] };
  expect(run(["revoke", "phone"], twice)).rejects.toThrow("Several tokens");
  expect(run(["revoke", "nobody"], list, refusal("TOKEN_UNKNOWN"))).rejects.toMatchObject({
    code: "TOKEN_UNKNOWN",
  });
});
