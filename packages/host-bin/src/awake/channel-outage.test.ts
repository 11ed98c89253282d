import { answeringModel, FakeClock, startExtension } from "@incipit/testkit";
import chats from "@incipit/messaging";
import { chatsHandle, type Chats } from "@incipit/service-contract";
import sessionOrchestrator from "@incipit/session-orchestrator";
import { describe, expect, test } from "bun:test";
import { discordService, telegramService, type OutageService } from "./testing/outage-service.ts";

const hourMs = 3_600_000;
/** Below the deadline of any call, so that pending calls get their turn. */
const stepMs = 20_000;

interface World extends AsyncDisposable {
  readonly service: OutageService;
  readonly chats: Chats;
  readonly asked: readonly string[];
  readonly answer: () => void;
  readonly pass: (durationMs: number, stepMs: number) => Promise<void>;
  readonly until: (isSo: () => boolean | Promise<boolean>) => Promise<void>;
  readonly goDown: () => Promise<void>;
  readonly comeBack: () => void;
  readonly told: () => string;
}

async function openWorld(createService: (clock: FakeClock) => OutageService): Promise<World> {
  await using scope = new AsyncDisposableStack();
  const clock = new FakeClock();
  const service = scope.use(createService(clock));
  const { channel, extension } = service;
  const asked: string[] = [];
  const gates: (() => void)[] = [];
  const reply = async (text: string): Promise<string> => {
    await new Promise<void>((resolve) => gates.push(resolve));
    return `Re: ${text}`;
  };
  let open = 0;
  /** Repeated immediately so that hours can pass. */
  let refusal: unknown;
  const started = await startExtension([extension, chats, sessionOrchestrator, answeringModel(asked, reply)], {
    clock,
    config: { channels: { [channel]: { enabled: true, api_root: service.url, people: [service.personId] } } },
    env: { [service.tokenVariable]: service.token },
    defaults: { model: "test/model" },
    async net(url, init) {
      if (refusal !== undefined) throw refusal;
      const isPoll = service.isLongPoll(url);
      open += isPoll ? 0 : 1;
      try {
        return await fetch(url, init);
      } finally {
        open -= isPoll ? 0 : 1;
      }
    },
  });
  scope.defer(async () => {
    service.release();
    await clock.advanceUntil(started[Symbol.asyncDispose]());
  });
  const quiet = async (): Promise<void> => {
    // Bodies are read before a call counts as open.
    for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
    while (open > 0) await new Promise<void>((resolve) => setTimeout(resolve, 0));
  };
  const until: World["until"] = async (isSo) => {
    while (!(await isSo())) {
      await quiet();
      await clock.advance(1_000);
    }
  };
  await until(service.isListening);
  const owned = scope.move();
  return {
    service,
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
    until,
    async goDown() {
      await service.goDown();
      refusal = await fetch(service.url).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(refusal).toBeDefined();
    },
    comeBack() {
      refusal = undefined;
      service.comeBack();
    },
    told: () => JSON.stringify(started.logs),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const services = {
  Telegram: telegramService,
  Discord: (clock: FakeClock) => discordService(() => clock.now()),
} as const satisfies Readonly<Record<string, (clock: FakeClock) => OutageService>>;

for (const [name, createService] of Object.entries(services))
  describe(name, () => {
    test("a token revoked during a reply is reported, and a new token delivers everything once", async () => {
      await using world = await openWorld(createService);
      const { service, asked } = world;
      service.says("One");
      await world.until(() => asked.length === 1);
      service.revokeToken();
      world.answer();
      service.says("Two");
      await world.pass(3 * 60_000, 5_000);
      const [channel] = await world.chats.channels();
      const before = service.replies();
      service.restoreToken();
      await world.until(() => asked.length === 2);
      world.answer();
      await world.until(() => service.replies().length === 2);
      await world.until(async () => (await world.chats.channels())[0]?.waiting === 0);

      expect(before).toEqual([]);
      expect(channel).toMatchObject({
        state: "down",
        waiting: 1,
        why: expect.stringContaining(service.tokenVariable),
      });
      expect(service.replies().map((text) => text.replace(/^\(from \d+ minutes ago\)\n\n/, ""))).toEqual([
        "Re: One",
        "Re: Two",
      ]);
      expect(await world.chats.channels()).toMatchObject([{ state: "up", waiting: 0, unknown: 0 }]);
      expect(world.told()).not.toContain(service.token.slice(-20));
    });

    test("after a day-long outage new messages are answered and day-old replies are expired", async () => {
      await using world = await openWorld(createService);
      const { service, asked } = world;
      service.says("Old");
      await world.until(() => asked.length === 1);
      await world.goDown();
      world.answer();
      await world.pass(23 * hourMs, stepMs);
      const [waiting] = (await world.chats.messages(service.channel, { limit: 10 })).items;
      service.says("New");
      await world.pass(2 * hourMs, stepMs);
      const [down] = await world.chats.channels();
      world.comeBack();
      await world.until(() => asked.length === 2);
      world.answer();
      await world.until(() => service.replies().length === 1);
      await world.until(async () => (await world.chats.channels())[0]?.waiting === 0);

      expect(waiting).toMatchObject({ text: "Re: Old", state: "waiting" });
      expect(down).toMatchObject({ state: "down", unknown: 0 });
      expect(world.told() + JSON.stringify(down)).not.toContain(service.token.slice(-20));
      expect(service.replies()).toEqual(["Re: New"]);
      expect((await world.chats.messages(service.channel, { limit: 10 })).items).toMatchObject([
        { text: "Re: New", state: "sent" },
        { text: "Re: Old", state: "failed", why: expect.stringMatching(/^Sending failed for a day: /) },
      ]);
      expect(await world.chats.channels()).toMatchObject([{ state: "up", waiting: 0, unknown: 0 }]);
    });
  });
