import { createTempFolder, FakeClock } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { chmod, mkdir, readdir, readFile, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { AccessToken, NewAccessToken, TokenId } from "@incipit/schema";
import type { CreatedToken } from "@incipit/service-contract";
import * as z from "zod";
import { TokenStore } from "./token-store.ts";

const dayMs = 86_400_000;

interface World extends AsyncDisposable {
  readonly path: string;
  readonly file: string;
  readonly clock: FakeClock;
  readonly reported: string[];
  open(ownToken?: string): TokenStore;
}

async function world(): Promise<World> {
  const temp = await createTempFolder();
  const clock = new FakeClock();
  const reported: string[] = [];
  return {
    path: temp.path,
    file: join(temp.path, "tokens.json"),
    clock,
    reported,
    open: (ownToken = "the host's own token") =>
      new TokenStore({ dataFolder: temp.path, ownToken, clock, report: (problem) => reported.push(problem) }),
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  };
}

function make(store: TokenStore, given: Partial<NewAccessToken> = {}, by?: TokenId): CreatedToken {
  return store.create({ scopes: ["read"], days: 30, ...given }, by === undefined ? {} : { createdBy: by });
}

function stateIn(store: TokenStore, { id }: AccessToken): AccessToken["state"] | undefined {
  return store.list().find((token) => token.id === id)?.state;
}

async function repeat(file: string, count: number): Promise<void> {
  const { owner, tokens } = z
    .object({ owner: z.string(), tokens: z.array(z.looseObject({})) })
    .parse(await Bun.file(file).json());
  const all = Array.from({ length: count }, (_, index) => ({
    ...tokens[0],
    id: Bun.randomUUIDv7(),
    sha256: new Bun.CryptoHasher("sha256").update(String(index)).digest("hex"),
  }));
  await Bun.write(file, JSON.stringify({ owner, tokens: all }));
}

test("[attack:tokens-file-read] TokenStore stores only the SHA-256 of a token, in a file private to its owner", async () => {
  await using place = await world();
  const previous = process.umask(0);
  const { secret } = make(place.open(), { name: "laptop" });
  process.umask(previous);

  const text = await readFile(place.file, "utf8");

  expect(secret).toMatch(/^incipit_[\w-]{43}$/);
  expect(text).not.toContain(secret.slice("incipit_".length));
  expect(text).toContain(new Bun.CryptoHasher("sha256").update(secret).digest("hex"));
  expect((await stat(place.file)).mode & 0o777).toBe(0o600);
  expect(place.open().find(secret).kind).toBe("active");
});

test("TokenStore finds a token with its scopes after a restart, and rejects similar secrets", async () => {
  await using place = await world();
  const { secret, token } = make(place.open(), { scopes: ["converse", "read"], name: "laptop" });
  const store = place.open();

  expect(store.find(secret)).toMatchObject({
    kind: "active",
    token: { id: token.id, name: "laptop", scopes: ["converse", "read"], state: "active", createdBy: null },
  });
  const sha256 = new Bun.CryptoHasher("sha256").update(secret).digest("hex");
  for (const other of ["", "incipit_", `${secret}x`, secret.slice(0, -1), secret.toUpperCase(), sha256])
    expect(store.find(other)).toEqual({ kind: "unknown" });
});

test("TokenStore expires a token on time and aborts its signal", async () => {
  await using place = await world();
  const store = place.open();
  const { secret } = make(store, { days: 60 });
  const later = make(store, { days: 61 });
  const found = store.find(secret);
  const other = store.find(later.secret);

  await place.clock.advance(60 * dayMs - 1);
  expect(store.find(secret).kind).toBe("active");
  expect(found).toMatchObject({ over: { aborted: false } });
  await place.clock.advance(1);

  expect(found).toMatchObject({ over: { aborted: true } });
  expect(other).toMatchObject({ over: { aborted: false } });
  expect(store.find(secret)).toMatchObject({ kind: "over", token: { state: "ended", revokedAt: null } });
});

test("TokenStore aborts signals soon after the machine slept past a token's expiry", async () => {
  await using place = await world();
  const { clock } = place;
  let sleptMs = 0;
  const store = new TokenStore({
    dataFolder: place.path,
    ownToken: "the host's own token",
    clock: { now: () => clock.now() + sleptMs, setTimer: (work, delayMs) => clock.setTimer(work, delayMs) },
    report: () => undefined,
  });
  const found = store.find(make(store, { days: 1 }).secret);

  sleptMs = dayMs; // No timer fires while the machine sleeps.
  expect(found).toMatchObject({ kind: "active", over: { aborted: false } });
  await clock.advance(600_000);

  expect(found).toMatchObject({ over: { aborted: true } });
});

test("TokenStore.revoke() also revokes descendants, immediately and after a restart", async () => {
  await using place = await world();
  const store = place.open();
  const first = make(store, { scopes: ["admin"] });
  const child = make(store, {}, first.token.id);
  const grandchild = make(store, {}, child.token.id);
  const stranger = make(store);
  const opened = [first, child, grandchild, stranger].map(({ secret }) => store.find(secret));

  store.revoke(first.token.id);

  expect(opened.map((found) => found.kind === "active" && found.over.aborted)).toEqual([true, true, true, false]);
  for (const each of [store, place.open()])
    expect([first, child, grandchild, stranger].map(({ token }) => stateIn(each, token))).toEqual([
      "revoked",
      "revoked",
      "revoked",
      "active",
    ]);
  expect(store.find(grandchild.secret).kind).toBe("over");
});

test("TokenStore aborts all signals when disposed but keeps the tokens active", async () => {
  await using place = await world();
  const store = place.open();
  const { secret } = make(store);
  const found = store.find(secret);

  store[Symbol.dispose]();

  expect(found).toMatchObject({ over: { aborted: true } });
  expect(place.clock.pending).toBe(0);
  expect(place.open().find(secret)).toMatchObject({ kind: "active", over: { aborted: false } });
});

test("TokenStore.revoke() ignores an inactive token and rejects an unknown id", async () => {
  await using place = await world();
  const store = place.open();
  const { token } = make(store, { days: 1 });
  await place.clock.advance(dayMs);

  expect(store.revoke(token.id)).toMatchObject({ state: "ended", revokedAt: null });
  for (const id of ["01a1fcd7-5c9a-7556-afda-76769002c75c", "nonsense", ""])
    expect(() => store.revoke(id)).toThrow(expect.objectContaining({ code: "TOKEN_UNKNOWN" }));
});

test("[attack:tokens-outlive-own] TokenStore revokes all tokens when the host's own token changes", async () => {
  await using place = await world();
  const { secret } = make(place.open());
  expect(place.open().find(secret).kind).toBe("active");

  expect(place.open("another token of its own").find(secret).kind).toBe("over");
  expect(place.open().find(secret).kind).toBe("over");
  expect(place.reported.join()).toContain("all earlier tokens are revoked (1)");
});

test("TokenStore writes the last use at most once a minute, but reports it exactly", async () => {
  await using place = await world();
  const store = place.open();
  const { secret, token } = make(store);
  store.find(secret);
  const firstUse = place.clock.now();
  await place.clock.advance(59_999);
  store.find(secret);
  const used = (from: TokenStore): string | null | undefined =>
    from.list().find(({ id }) => id === token.id)?.lastUsedAt;

  expect(used(store)).toBe(new Date(place.clock.now()).toISOString());
  expect(used(place.open())).toBe(new Date(firstUse).toISOString());
  await place.clock.advance(1);
  store.find(secret);
  expect(used(place.open())).toBe(new Date(place.clock.now()).toISOString());
});

test("TokenStore remembers inactive tokens for 90 days", async () => {
  await using place = await world();
  const store = place.open();
  const { token: first } = make(store, { days: 1 });

  await place.clock.advance(91 * dayMs - 1);
  const { token: second } = make(store, { days: 100 });
  expect(store.list().map(({ id }) => id)).toEqual([second.id, first.id]);
  await place.clock.advance(1);
  const { token: third } = make(store);
  expect(store.list().map(({ id }) => id)).toEqual([third.id, second.id]);
});

test("[attack:tokens-fill-list] TokenStore evicts revoked tokens to make room for 1,000 active ones", async () => {
  await using place = await world();
  make(place.open());
  await repeat(place.file, 1_000);
  const store = place.open();
  expect(() => make(store)).toThrow("There are 1000 valid tokens");
  const [newest, ...others] = store.list();
  for (const { id } of others.slice(0, 10)) store.revoke(id);

  const { token } = make(store);

  const left = store.list();
  expect(left).toHaveLength(1_000);
  expect(left[0]).toEqual(token);
  expect(left[1]?.id).toBe(newest?.id);
  expect(left.filter(({ state }) => state === "revoked")).toHaveLength(9);
  expect(left.some(({ id }) => id === others[9]?.id)).toBe(false);
});

test("TokenStore moves a damaged file aside, reports it, and accepts no token", async () => {
  await using place = await world();
  const { secret } = make(place.open());
  const whole = await readFile(place.file, "utf8");
  await Bun.write(place.file, whole.slice(0, -20));
  const store = place.open();

  expect(store.find(secret)).toEqual({ kind: "unknown" });
  expect(place.reported.join()).toContain("set aside");
  expect(await readdir(place.path)).toEqual([`tokens.json.damaged-${place.clock.now()}`]);
});

test("TokenStore creates no token it cannot store, but still revokes in memory", async () => {
  await using place = await world();
  const store = place.open();
  const { secret, token } = make(store);
  await mkdir(`${place.file}.new`);

  expect(() => make(store)).toThrow(expect.objectContaining({ code: "STORAGE_FAILED" }));
  expect(store.list()).toHaveLength(1);
  expect(() => store.revoke(token.id)).toThrow(expect.objectContaining({ code: "STORAGE_FAILED" }));
  expect(store.find(secret).kind).toBe("over");
});

test("[attack:tokens-lost-revocation] TokenStore retries an unwritten revocation with the next write of any kind", async () => {
  await using place = await world();
  for (const next of ["revoke", "use"] as const) {
    const store = place.open();
    const { secret, token } = make(store);
    const other = make(store);
    await mkdir(`${place.file}.new`); // Makes each write fail.
    expect(() => store.revoke(token.id)).toThrow(expect.objectContaining({ code: "STORAGE_FAILED" }));
    expect(place.open().find(secret).kind).toBe("active");
    await rmdir(`${place.file}.new`);

    if (next === "revoke") store.revoke(token.id);
    else store.find(other.secret);

    expect([next, place.open().find(secret).kind]).toEqual([next, "over"]);
  }
});

test("[attack:tokens-under-way] TokenStore refuses to create a token for a creator revoked during the request", async () => {
  await using place = await world();
  const store = place.open();
  const { token } = make(store, { scopes: ["admin"], days: 2 });
  const { token: brief } = make(store, { scopes: ["admin"], days: 1 });
  expect(make(store, { days: 1 }, token.id).token.state).toBe("active");

  store.revoke(token.id);
  await place.clock.advance(dayMs);

  for (const { id } of [token, brief])
    expect(() => make(store, { days: 1 }, id)).toThrow(expect.objectContaining({ code: "UNAUTHORIZED" }));
  expect(store.list()).toHaveLength(3);
});

test("TokenStore keeps at most 100 browsers and signs out the least recently used", async () => {
  await using place = await world();
  make(place.open());
  await repeat(place.file, 1_000);
  const store = place.open();
  const signIn = (): CreatedToken =>
    store.create({ scopes: ["read"], days: 30, name: "Firefox on Linux" }, { kind: "browser" });
  const browsers: CreatedToken[] = [];
  for (let count = 0; count < 100; count += 1) {
    browsers.push(signIn());
    await place.clock.advance(1);
  }
  const [first, second, third] = browsers.map(({ secret }) => store.find(secret));
  expect([first?.kind, second?.kind, third?.kind]).toEqual(["active", "active", "active"]);
  await place.clock.advance(1);
  for (const { secret } of browsers.filter((_, index) => index !== 1)) store.find(secret);

  const { secret } = signIn();

  expect(secret).toMatch(/^incipit_browser_[\w-]{43}$/);
  expect(second).toMatchObject({ over: { aborted: true } });
  expect(store.find(browsers[1]?.secret ?? "").kind).toBe("unknown");
  expect([secret, ...browsers.slice(2).map((each) => each.secret)].map((each) => store.find(each).kind)).toEqual(
    Array.from({ length: 99 }, () => "active" as const),
  );
  expect(place.open().find(secret)).toMatchObject({ kind: "active", token: { kind: "browser" } });
});

test("TokenStore signs a browser in while the file cannot be written, and stores it later", async () => {
  await using place = await world();
  const store = place.open();
  const other = make(store);
  await mkdir(`${place.file}.new`);
  const { secret } = store.create({ scopes: ["read"], days: 30 }, { kind: "browser" });

  expect(store.find(secret).kind).toBe("active");
  expect(place.reported[0]).toContain("ends with the host at the latest");
  expect(place.open().find(secret).kind).toBe("unknown");
  await rmdir(`${place.file}.new`);
  store.find(other.secret);
  expect(place.open().find(secret).kind).toBe("active");
});

test("TokenStore refuses to start with an unreadable file instead of overwriting it", async () => {
  await using place = await world();
  await mkdir(place.file);
  await chmod(place.file, 0o700);

  expect(() => place.open()).toThrow(expect.objectContaining({ code: "STORAGE_FAILED" }));
});
