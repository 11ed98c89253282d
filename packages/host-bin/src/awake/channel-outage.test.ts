import telegram from "@incipit/channel-telegram";
import chats from "@incipit/chats";
import { chatsHandle, type Chats } from "@incipit/service-contract";
import sessionOrchestrator from "@incipit/session-orchestrator";
import { RecordingBotServer, startExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { answeringModel } from "./testing/answering-model.ts";

const hourMs = 3_600_000;
/** Shorter than the deadline of any call: what is on its way has its turn in between. */
const stepMs = 20_000;

interface World extends AsyncDisposable {
  readonly bot: RecordingBotServer;
  readonly ada: ReturnType<RecordingBotServer["person"]>;
  readonly chats: Chats;
  /** Every message that the model was asked to answer, in order. */
  readonly asked: readonly string[];
  /** Lets the model answer what it was asked. */
  readonly answer: () => void;
  /** Moves the time on a step at a time, beside what is open between the host and the service. */
  readonly pass: (durationMs: number, stepMs: number) => Promise<void>;
  /** Moves the time on until it is so. */
  readonly until: (isSo: () => boolean | Promise<boolean>) => Promise<void>;
  /** Nobody is there until `comeBack()`. */
  readonly goDown: () => Promise<void>;
  readonly comeBack: () => void;
  /** All that was told of how things are. */
  readonly told: () => string;
}

/** Chats over the channel to a recording Bot API, on a clock that the test moves; the model answers once it may. */
async function openWorld(): Promise<World> {
  await using scope = new AsyncDisposableStack();
  const bot = scope.use(new RecordingBotServer({ isStrict: true }));
  const ada = bot.person({ name: "Ada" });
  const asked: string[] = [];
  const gates: (() => void)[] = [];
  const reply = async (text: string): Promise<string> => {
    await new Promise<void>((resolve) => gates.push(resolve));
    return `Re: ${text}`;
  };
  let open = 0;
  let isDown = false;
  /** How the machine says that nobody is there: said again at once, so that hours can pass. */
  let refusal: unknown;
  const started = await startExtension([telegram, chats, sessionOrchestrator, answeringModel(asked, reply)], {
    config: { channels: { telegram: { enabled: true, api_root: bot.url, people: [String(ada.user.id)] } } },
    env: { TELEGRAM_BOT_TOKEN: bot.token },
    defaults: { model: "test/model" },
    async net(url, init) {
      if (refusal !== undefined) throw refusal;
      const isCalledInVain = isDown;
      const isPoll = url.endsWith("/getUpdates");
      open += isPoll ? 0 : 1;
      try {
        return await fetch(url, init);
      } catch (error) {
        if (isCalledInVain) refusal = error;
        throw error;
      } finally {
        open -= isPoll ? 0 : 1;
      }
    },
  });
  const { clock } = started;
  scope.defer(async () => {
    bot.release();
    await clock.advanceUntil(started[Symbol.asyncDispose]());
  });
  const quiet = async (): Promise<void> => {
    // Bodies are read before a call is open.
    for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
    while (open > 0) await new Promise<void>((resolve) => setTimeout(resolve, 0));
  };
  const owned = scope.move();
  return {
    bot,
    ada,
    chats: started.service(chatsHandle),
    asked,
    answer: () => gates.splice(0).forEach((open) => open()),
    async pass(durationMs, stepMs) {
      for (let leftMs = durationMs; leftMs > 0; leftMs -= stepMs) {
        await quiet();
        await clock.advance(stepMs);
      }
      await quiet();
    },
    async until(isSo) {
      while (!(await isSo())) {
        await quiet();
        await clock.advance(1_000);
      }
    },
    async goDown() {
      isDown = true;
      await bot.goDown();
      while (refusal === undefined) await clock.advance(1_000).then(quiet);
    },
    comeBack() {
      isDown = false;
      refusal = undefined;
      bot.comeBack();
    },
    told: () => JSON.stringify(started.logs),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

test("a token that is revoked while a reply is made: that is shown, and all is answered once there is one again, each once", async () => {
  await using world = await openWorld();
  const { bot, ada, asked } = world;
  ada.says("One");
  await world.until(() => asked.length === 1);
  bot.revokeToken();
  world.answer();
  ada.says("Two");
  await world.pass(3 * 60_000, 5_000);
  const [channel] = await world.chats.channels();
  const before = [...ada.replies];
  bot.restoreToken();
  await world.until(() => asked.length === 2);
  world.answer();
  await world.until(() => ada.replies.length === 2);
  await world.until(async () => (await world.chats.channels())[0]?.waiting === 0);

  expect(before).toEqual([]);
  expect(channel).toMatchObject({ state: "down", waiting: 1, why: expect.stringContaining("TELEGRAM_BOT_TOKEN") });
  expect(ada.replies.map(({ text = "" }) => text.replace(/^\(from \d+ minutes ago\)\n\n/, ""))).toEqual([
    "Re: One",
    "Re: Two",
  ]);
  expect(await world.chats.channels()).toMatchObject([{ state: "up", waiting: 0, unknown: 0 }]);
  expect(world.told()).not.toContain(bot.token.slice(-20));
});

test("a service that is down for a day: what was written meanwhile is answered, what is a day old is not sent and shown so", async () => {
  await using world = await openWorld();
  const { ada, asked } = world;
  ada.says("Old");
  await world.until(() => asked.length === 1);
  await world.goDown();
  world.answer();
  await world.pass(23 * hourMs, stepMs);
  const [waiting] = (await world.chats.messages("telegram", { limit: 10 })).items;
  ada.says("New");
  await world.pass(2 * hourMs, stepMs);
  const [down] = await world.chats.channels();
  world.comeBack();
  await world.until(() => asked.length === 2);
  world.answer();
  await world.until(() => ada.replies.length === 1);
  await world.until(async () => (await world.chats.channels())[0]?.waiting === 0);

  expect(waiting).toMatchObject({ text: "Re: Old", state: "waiting" });
  expect(down).toMatchObject({ state: "down", unknown: 0 });
  expect(ada.replies.map(({ text }) => text)).toEqual(["Re: New"]);
  expect((await world.chats.messages("telegram", { limit: 10 })).items).toMatchObject([
    { text: "Re: New", state: "sent" },
    { text: "Re: Old", state: "failed", why: expect.stringMatching(/^It could not be sent for a day: /) },
  ]);
  expect(await world.chats.channels()).toMatchObject([{ state: "up", waiting: 0, unknown: 0 }]);
});
