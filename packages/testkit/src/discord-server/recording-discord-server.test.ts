import { expect, test } from "bun:test";
import * as z from "zod";
import { discordIntents } from "./discord-gateway.ts";
import { RecordingDiscordServer } from "./recording-discord-server.ts";

const userAgent = "DiscordBot (https://incipit.example, 1.0.0)";
const frameSchema = z.looseObject({ op: z.int(), s: z.int().nullable(), t: z.string().nullable(), d: z.unknown() });
type Frame = z.infer<typeof frameSchema>;

async function call(
  server: RecordingDiscordServer,
  route: string,
  body?: object,
  token = server.token,
): Promise<{ readonly status: number; readonly body: unknown; readonly headers: Headers }> {
  const [method = "GET", path = ""] = route.split(" ");
  const answer = await fetch(`${server.url}/api/v10${path}`, {
    method,
    headers: { authorization: `Bot ${token}`, "user-agent": userAgent, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? undefined : JSON.parse(text), headers: answer.headers };
}

class Peer implements AsyncDisposable {
  readonly frames: Frame[] = [];
  readonly closed = Promise.withResolvers<number>();
  readonly #socket: WebSocket;
  #changed = Promise.withResolvers<void>();

  constructor(server: RecordingDiscordServer) {
    this.#socket = new WebSocket(`${server.url.replace("http", "ws")}/gateway?v=10&encoding=json`);
    this.#socket.addEventListener("message", ({ data }) => {
      this.frames.push(frameSchema.parse(JSON.parse(String(data))));
      this.#changed.resolve();
      this.#changed = Promise.withResolvers();
    });
    this.#socket.addEventListener("close", ({ code }) => this.closed.resolve(code));
  }

  send(op: number, d: unknown): void {
    this.#socket.send(JSON.stringify({ op, d }));
  }

  identify({ token }: RecordingDiscordServer, intents: number): void {
    this.send(2, { token, intents, properties: { os: "linux", browser: "test", device: "test" } });
  }

  async until(isSo: (frames: readonly Frame[]) => boolean): Promise<void> {
    while (!isSo(this.frames)) await this.#changed.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close(1_000);
    await this.closed.promise;
  }
}

const { guildMessages, directMessages, messageContent } = discordIntents;
const all = guildMessages | directMessages | messageContent;

test("RecordingDiscordServer filters events by intents, and content without the content intent", async () => {
  await using server = new RecordingDiscordServer();
  const ada = server.person();
  const inChannel = ada.in(server.channel());
  await using deaf = new Peer(server);
  await using blind = new Peer(server);
  await deaf.until(({ length }) => length > 0);
  await blind.until(({ length }) => length > 0);
  deaf.identify(server, directMessages);
  blind.identify(server, guildMessages);
  await deaf.until((frames) => frames.some(({ t }) => t === "READY"));
  await blind.until((frames) => frames.some(({ t }) => t === "READY"));

  ada.says("private");
  inChannel.says("only talk");
  inChannel.says(`<@${server.bot.id}> hello`);
  await blind.until(({ length }) => length === 4);
  await deaf.until(({ length }) => length === 3);

  const texts = ({ frames }: Peer): readonly unknown[] =>
    frames
      .filter(({ t }) => t === "MESSAGE_CREATE")
      .map(({ d }) => z.looseObject({ content: z.string() }).parse(d).content);
  expect(texts(deaf)).toEqual(["private"]);
  expect(texts(blind)).toEqual(["", `<@${server.bot.id}> hello`]);
});

test("RecordingDiscordServer closes connections with the documented codes", async () => {
  await using server = new RecordingDiscordServer();
  server.gateway.hasContentIntent = false;
  const wrongs: Readonly<Record<number, (peer: Peer) => void>> = {
    4_001: (peer) => {
      peer.identify(server, directMessages);
      peer.send(99, {});
    },
    4_002: (peer) => peer.send(2, { token: server.token }),
    4_003: (peer) => peer.send(3, {}),
    4_004: (peer) => peer.send(2, { token: "x", intents: 0, properties: { os: "", browser: "", device: "" } }),
    4_005: (peer) => {
      peer.identify(server, directMessages);
      peer.identify(server, directMessages);
    },
    4_013: (peer) => peer.identify(server, 2 ** 30),
    4_014: (peer) => peer.identify(server, all),
  };

  for (const [code, does] of Object.entries(wrongs)) {
    const peer = new Peer(server);
    await peer.until(({ length }) => length > 0);
    does(peer);
    expect(await peer.closed.promise).toBe(Number(code));
  }
});

test("RecordingDiscordServer replays missed events on resume, and rejects ended or forgotten sessions", async () => {
  await using server = new RecordingDiscordServer();
  const ada = server.person();
  const session = async (): Promise<unknown> => {
    const peer = new Peer(server);
    await peer.until(({ length }) => length > 0);
    peer.identify(server, all);
    await peer.until((frames) => frames.some(({ t }) => t === "READY"));
    return z.looseObject({ session_id: z.string() }).parse(peer.frames[1]?.d).session_id;
  };
  const resume = async (id: unknown, seq: number): Promise<Peer> => {
    const peer = new Peer(server);
    await peer.until(({ length }) => length > 0);
    peer.send(6, { token: server.token, session_id: id, seq });
    return peer;
  };
  const id = await session();
  ada.says("one");
  server.gateway.drop();
  await server.waitFor(({ gateway }) => !gateway.isConnected);
  ada.says("two");

  await using back = await resume(id, 2);
  await back.until((frames) => frames.some(({ t }) => t === "RESUMED"));
  expect(back.frames.slice(1)).toMatchObject([
    { t: "MESSAGE_CREATE", s: 3, d: { content: "two" } },
    { t: "RESUMED" },
  ]);
  await using ahead = await resume(id, 99);
  expect(await ahead.closed.promise).toBe(4_007);
  server.gateway.forgetSessions();
  await using lost = await resume(id, 1);
  await lost.until(({ length }) => length === 2);
  expect(lost.frames[1]).toMatchObject({ op: 9, d: false });
});

test("RecordingDiscordServer rejects invalid calls with the service's codes", async () => {
  await using server = new RecordingDiscordServer();
  const ada = server.person();
  const path = `POST /channels/${ada.channelId}/messages`;
  const row = (button: object): object => ({
    type: 1,
    components: [{ type: 2, style: 2, label: "Yes", ...button }],
  });
  const refusals = [
    ["POST /channels/1/messages", { content: "x" }, 404, 10_003],
    [path, { content: "x".repeat(2_001) }, 400, 50_035],
    [path, { content: " " }, 400, 50_006],
    [path, { content: "x", components: [row({ custom_id: "y".repeat(101) })] }, 400, 50_035],
    [path, { content: "x", components: [row({})] }, 400, 50_035],
    [path, { content: "x", nonce: "n".repeat(26) }, 400, 50_035],
    [path, { content: "x", message_reference: { message_id: "1" } }, 400, 50_035],
    [path, { content: "x", flags: 64 }, 400, 50_035],
    ["POST /users/@me/channels", { recipient_id: "1" }, 400, 50_033],
    [`PUT /applications/${server.bot.id}/commands`, [{ name: "New", description: "x" }], 400, 50_035],
    ["PUT /applications/1/commands", [], 403, 20_012],
    ["POST /interactions/1/none/callback", { type: 5 }, 404, 10_062],
    [`PATCH /webhooks/${server.bot.id}/none/messages/@original`, { content: "x" }, 401, 50_027],
    ["GET /channels/1", undefined, 404, 10_003],
    ["GET /fax", undefined, 404, 0],
  ] as const;

  for (const [route, body, status, code] of refusals)
    expect({ route, ...(await call(server, route, body)) }).toMatchObject({ route, status, body: { code } });
  expect(await call(server, "GET /users/@me", undefined, "other")).toMatchObject({ status: 401 });
  ada.blocks();
  expect(await call(server, path, { content: "x" })).toMatchObject({ status: 403, body: { code: 50_007 } });
  expect(server.sent).toEqual([]);
});

test("RecordingDiscordServer deduplicates an enforced nonce for a few minutes", async () => {
  let nowMs = 1_800_000_000_000;
  await using server = new RecordingDiscordServer({ now: () => nowMs });
  const ada = server.person();
  const send = (): ReturnType<typeof call> =>
    call(server, `POST /channels/${ada.channelId}/messages`, { content: "once", nonce: "n", enforce_nonce: true });

  const [first, second] = [await send(), await send()];
  nowMs += 200_000;
  await send();

  expect(second.body).toEqual(first.body);
  expect(ada.replies).toHaveLength(2);
});

test("RecordingDiscordServer simulates rate limits, gateway errors and missing responses", async () => {
  await using server = new RecordingDiscordServer();
  const ada = server.person();
  server.fail(
    "POST /channels/:id/messages",
    {
      kind: "refuse",
      status: 429,
      code: 0,
      message: "You are being rate limited.",
      retryAfterS: 1.5,
      isGlobal: true,
    },
    { kind: "gateway", status: 502 },
    { kind: "cut", isTaken: true },
  );
  const send = (): ReturnType<typeof call> =>
    call(server, `POST /channels/${ada.channelId}/messages`, { content: "x" });

  const limited = await send();
  expect(limited).toMatchObject({ status: 429, body: { retry_after: 1.5, global: true } });
  expect(limited.headers.get("retry-after")).toBe("2");
  expect(await send().catch(() => "no JSON")).toBe("no JSON");
  expect(await send().catch(() => "cut")).toBe("cut");
  expect(ada.replies).toHaveLength(1);
  expect(server.calls.map(({ status }) => status)).toEqual([429, 502, undefined]);
});

test("RecordingDiscordServer requires one interaction response within three seconds", async () => {
  let nowMs = 1_800_000_000_000;
  await using server = new RecordingDiscordServer({ now: () => nowMs });
  const ada = server.person();
  await call(server, `PUT /applications/${server.bot.id}/commands`, [{ name: "new", description: "New" }]);
  const [late, now] = [ada.runs("new"), ada.runs("new")];
  const answer = ({ id, token }: typeof now): ReturnType<typeof call> =>
    call(server, `POST /interactions/${id}/${token}/callback`, { type: 5, data: { flags: 64 } });

  expect(await answer(now)).toMatchObject({ status: 204 });
  expect(await answer(now)).toMatchObject({ status: 400, body: { code: 40_060 } });
  nowMs += 3_001;
  expect(await answer(late)).toMatchObject({ status: 404, body: { code: 10_062 } });
  expect(now).toMatchObject({ isAcknowledged: true, isEphemeral: true, answer: undefined });
});
