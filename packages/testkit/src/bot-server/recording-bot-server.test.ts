import { expect, test } from "bun:test";
import { RecordingBotServer } from "./recording-bot-server.ts";
import * as z from "zod";

const bodySchema = z.looseObject({ ok: z.boolean(), result: z.unknown().optional() });
const updatesSchema = z.array(
  z.looseObject({ update_id: z.int(), callback_query: z.looseObject({ id: z.string() }).optional() }),
);

interface Answer {
  readonly status: number;
  readonly body: z.infer<typeof bodySchema>;
}

async function call(server: RecordingBotServer, method: string, parameters: object = {}): Promise<Answer> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify(parameters);
  const answer = await fetch(`${server.url}/bot${server.token}/${method}`, { method: "POST", headers, body });
  return { status: answer.status, body: bodySchema.parse(await answer.json()) };
}

async function updates(server: RecordingBotServer, parameters?: object): Promise<z.infer<typeof updatesSchema>> {
  return updatesSchema.parse((await call(server, "getUpdates", parameters)).body.result);
}

test("RecordingBotServer returns messages until the bot has confirmed them", async () => {
  await using server = new RecordingBotServer();
  const ada = server.person();
  ada.says("one");
  ada.says("/stop@incipit_test_bot now");

  const first = await updates(server);
  const [one = 0, two = 0] = first.map(({ update_id: id }) => id);
  const again = await updates(server, { offset: one });
  const rest = await updates(server, { offset: one + 1, limit: 1 });

  expect(first).toMatchObject([
    { message: { text: "one", chat: { id: ada.user.id, type: "private" }, from: { is_bot: false } } },
    { message: { entities: [{ type: "bot_command", offset: 0, length: 22 }] } },
  ]);
  expect(again).toEqual(first);
  expect(rest.map(({ update_id: id }) => id)).toEqual([two]);
  expect(await updates(server, { offset: two + 1 })).toEqual([]);
  expect(server.pending).toEqual([]);
});

test("RecordingBotServer answers a poll on an update, and ends an older poll with 409", async () => {
  await using server = new RecordingBotServer();
  const older = call(server, "getUpdates", { timeout: 50 });
  await server.waitFor(({ isPolled }) => isPolled);
  const newer = call(server, "getUpdates", { timeout: 50 });

  expect(await older).toMatchObject({ status: 409, body: { ok: false, error_code: 409 } });
  server.person().says("hello");
  expect((await newer).body.result).toMatchObject([{ message: { text: "hello" } }]);
});

test("RecordingBotServer repeats confirmed updates on request", async () => {
  await using server = new RecordingBotServer();
  server.person().says("hello");
  const [update] = await updates(server);
  const offset = (update?.update_id ?? 0) + 1;
  expect(await updates(server, { offset })).toEqual([]);

  server.repeatUpdates();

  expect(await updates(server, { offset })).toMatchObject([{ update_id: offset - 1 }]);
});

test("RecordingBotServer rejects invalid calls with the service's messages", async () => {
  await using server = new RecordingBotServer();
  const ada = server.person();
  const { chatId } = ada;
  const button = (data: string): object => ({ inline_keyboard: [[{ text: "Yes", callback_data: data }]] });
  const refusals = {
    "chat not found": ["sendMessage", { chat_id: 1, text: "x" }],
    "chat_id is empty": ["sendMessage", { text: "x" }],
    "message text is empty": ["sendMessage", { chat_id: chatId, text: " \n" }],
    "message is too long": ["sendMessage", { chat_id: chatId, text: "x".repeat(4_097) }],
    "message thread not found": ["sendMessage", { chat_id: chatId, text: "x", message_thread_id: 7 }],
    "entity 0 is out of bounds": [
      "sendMessage",
      { chat_id: chatId, text: "x", entities: [{ type: "bold", offset: 0, length: 2 }] },
    ],
    BUTTON_DATA_INVALID: ["sendMessage", { chat_id: chatId, text: "x", reply_markup: button("é".repeat(33)) }],
    "message to be replied not found": [
      "sendMessage",
      { chat_id: chatId, text: "x", reply_parameters: { message_id: 1 } },
    ],
    "message to edit not found": ["editMessageText", { chat_id: chatId, message_id: 1, text: "x" }],
    "draft_id must be non-zero": ["sendMessageDraft", { chat_id: chatId, draft_id: 0 }],
    BOT_COMMAND_INVALID: ["setMyCommands", { commands: [{ command: "New", description: "x" }] }],
    "invalid file_id": ["getFile", { file_id: "none" }],
    'field "offset" must be a valid Number': ["getUpdates", { offset: "many" }],
  } as const;

  for (const [description, [method, parameters]] of Object.entries(refusals)) {
    const body = { ok: false, error_code: 400, description: `Bad Request: ${description}` };
    expect(await call(server, method, parameters)).toEqual({ status: 400, body });
  }
  expect(await call(server, "sendFax")).toMatchObject({ status: 404 });
  const { photo = [] } = ada.sends({ kind: "photo", bytes: new Uint8Array([1]) });
  const captioned = { chat_id: chatId, photo: photo[0]?.file_id, caption: "x".repeat(1_025) };
  expect((await call(server, "sendPhoto", captioned)).body).toMatchObject({
    description: "Bad Request: message caption is too long",
  });
  expect(server.sent).toEqual([]);
  expect((await call(server, "sendMessage", { chat_id: chatId, text: "🎉".repeat(2_048) })).status).toBe(200);
});

test("RecordingBotServer answers 401 to a wrong or revoked token", async () => {
  await using server = new RecordingBotServer();
  expect((await fetch(`${server.url}/bot1:other/getMe`)).status).toBe(401);

  const open = call(server, "getUpdates", { timeout: 50 });
  await server.waitFor(({ isPolled }) => isPolled);
  server.revokeToken();

  expect(await open).toMatchObject({ status: 401 });
  expect(await call(server, "getMe")).toEqual({
    status: 401,
    body: { ok: false, error_code: 401, description: "Unauthorized" },
  });
  server.restoreToken();
  expect((await call(server, "getMe")).body.result).toMatchObject({ is_bot: true, username: "incipit_test_bot" });
});

test("RecordingBotServer answers 403 once a person has blocked the bot", async () => {
  await using server = new RecordingBotServer();
  const ada = server.person();
  ada.blocks();

  const refused = await call(server, "sendMessage", { chat_id: ada.chatId, text: "x" });
  ada.unblocks();

  expect(refused).toMatchObject({ status: 403, body: { description: "Forbidden: bot was blocked by the user" } });
  expect((await call(server, "sendMessage", { chat_id: ada.chatId, text: "x" })).status).toBe(200);
});

test("RecordingBotServer simulates rate limits, cut connections, held calls and gateway errors", async () => {
  await using server = new RecordingBotServer();
  const ada = server.person();
  const send = (text: string): Promise<Answer> => call(server, "sendMessage", { chat_id: ada.chatId, text });
  server.fail(
    "sendMessage",
    { kind: "refuse", status: 429, description: "Too Many Requests: retry after 3", retryAfterS: 3 },
    { kind: "cut", isTaken: false },
    { kind: "cut", isTaken: true },
    { kind: "hold" },
  );

  expect((await send("one")).body).toMatchObject({ error_code: 429, parameters: { retry_after: 3 } });
  expect(await send("two").catch((error: unknown) => error)).toMatchObject({ code: "ECONNRESET" });
  expect(await send("three").catch((error: unknown) => error)).toMatchObject({ code: "ECONNRESET" });
  const held = send("four");
  await server.waitFor(({ held }) => held === 1);
  expect(ada.replies.map(({ text }) => text)).toEqual(["three"]);
  server.release();

  expect((await held).status).toBe(200);
  expect(ada.replies.map(({ text }) => text)).toEqual(["three", "four"]);
  expect(server.calls.map(({ status }) => status)).toEqual([429, undefined, undefined, 200]);
});

test("RecordingBotServer stores uploads and serves files of people", async () => {
  await using server = new RecordingBotServer({ isStrict: true });
  const ada = server.person();
  const form = new FormData();
  form.set("chat_id", String(ada.chatId));
  form.set("document", new File([new Uint8Array([1, 2, 0, 255])], "a b.bin"));
  await fetch(`${server.url}/bot${server.token}/sendDocument`, { method: "POST", body: form });
  const { photo = [] } = ada.sends({ kind: "photo", bytes: new Uint8Array([9, 8]), caption: "/look" });

  const { body } = await call(server, "getFile", { file_id: photo.at(-1)?.file_id });
  const { file_path: path } = z.looseObject({ file_path: z.string() }).parse(body.result);
  const file = await fetch(`${server.url}/file/bot${server.token}/${path}`);

  expect(server.calls[0]?.files.get("document")).toEqual({
    name: "a b.bin",
    bytes: new Uint8Array([1, 2, 0, 255]),
  });
  expect(ada.replies).toMatchObject([{ document: { file_name: "a b.bin", file_size: 4 } }]);
  expect(await file.bytes()).toEqual(new Uint8Array([9, 8]));
});

test("RecordingBotServer simulates presses, edits and replies in groups and topics", async () => {
  await using server = new RecordingBotServer();
  const ada = server.person();
  const topic = server.topic(server.group({ isForum: true }));
  const there = ada.in(topic);
  const { id } = topic.chat;
  const markup = { inline_keyboard: [[{ text: "Yes", callback_data: "yes" }]] };
  await call(server, "sendMessage", {
    chat_id: id,
    message_thread_id: topic.threadId,
    text: "?",
    reply_markup: markup,
  });

  const press = there.presses("Yes");
  const [question] = there.replies;
  const said = there.says("well", question === undefined ? {} : { replyTo: question });
  there.edits(said, "well, yes");
  const given = await updates(server);
  await call(server, "answerCallbackQuery", { callback_query_id: given[0]?.callback_query?.id, text: "ok" });

  expect(given).toMatchObject([
    { callback_query: { data: "yes", message: { text: "?", message_thread_id: topic.threadId } } },
    { message: { is_topic_message: true, reply_to_message: { text: "?" } } },
    { edited_message: { text: "well, yes", message_id: said.message_id } },
  ]);
  expect(press.answer).toBe("ok");
  expect(() => there.presses("No")).toThrow('no button "No"');
});

test("RecordingBotServer delivers updates to a webhook in order until accepted", async () => {
  await using server = new RecordingBotServer();
  const taken: unknown[] = [];
  let isOpen = false;
  using hook = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      if (!isOpen) return new Response("", { status: 500 });
      taken.push([request.headers.get("x-telegram-bot-api-secret-token"), await request.json()]);
      return new Response("");
    },
  });
  await call(server, "setWebhook", { url: hook.url.href, secret_token: "s_1" });
  const ada = server.person();
  ada.says("one");
  await server.deliver();
  expect((await call(server, "getUpdates")).status).toBe(409);
  isOpen = true;
  ada.says("two");

  await server.waitFor(({ pending }) => pending.length === 0);

  expect(taken).toMatchObject([
    ["s_1", { message: { text: "one" } }],
    ["s_1", { message: { text: "two" } }],
  ]);
});

test("RecordingBotServer reports unknown parameters", async () => {
  const server = new RecordingBotServer({ isStrict: true });
  await call(server, "getMe", { verbose: true });

  expect(server.problems).toEqual(['getMe has no parameter "verbose"']);
  expect(await server[Symbol.asyncDispose]().catch((error: unknown) => String(error))).toContain("verbose");
});
