import { cutAfter, type CutStorage, createMemoryStorage, FakeClock, TestService } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { ChatsWorld } from "./testing/chats-world.ts";

const most = 400;

interface Given {
  readonly messages: { readonly chatId: string; readonly text: string }[];
  commands: number;
}

async function live(storage: CutStorage, service: TestService, given: Given): Promise<boolean> {
  const world = await ChatsWorld.start({ storage, service, clock: new FakeClock(), killed: storage.cut });
  const say = (text: string, id: string): void => {
    given.messages.push({ chatId: id, text });
    service.say(text, { sender: { id } });
  };
  const story = async (): Promise<void> => {
    say("One", "ada");
    say("Two", "ada");
    say("Bob's", "bob");
    await world.rest();
    given.commands += 1;
    world.command("new");
    say("Three", "ada");
    await world.rest();
  };
  await Promise.race([story(), storage.cut]);
  void world[Symbol.asyncDispose]();
  return !storage.isCut();
}

const begun = "Your next message starts a new conversation.";
const interrupted = "I was interrupted and could not finish that. Please send it again.";

async function problemsOf(world: ChatsWorld, given: Given): Promise<readonly string[]> {
  const problems: string[] = [];
  const said = (await world.said()).toSorted();
  const written = given.messages.map(({ text }) => text).toSorted();
  if (String(said) !== String(written)) problems.push(`said ${said.join(", ")}`);
  const outbox = await world.outbox();
  if (outbox.length !== written.length + given.commands) problems.push(`${outbox.length} messages`);
  for (const { text, state } of outbox)
    if (state !== "sent" && state !== "unknown") problems.push(`"${text}" is ${state}`);
  for (const [index, { chatId, text }] of given.messages.entries()) {
    const before = given.messages.slice(0, index).filter((other) => other.chatId === chatId);
    const records = outbox.filter((message) => message.chat === chatId && message.text !== begun);
    const answer = records[before.length]?.text;
    if (answer !== `Re: ${text}` && answer !== interrupted) problems.push(`"${text}" is answered "${answer}"`);
  }
  for (const chatId of ["ada", "bob"]) {
    const came = [...world.service.texts(chatId)];
    for (const { text, state } of outbox.filter(({ chat }) => chat === chatId))
      if (came[0] === text) came.shift();
      else if (state !== "unknown") problems.push(`"${text}" was noted as ${state} and did not come`);
    if (came.length > 0) problems.push(`more came to ${chatId}: ${came.join(", ")}`);
  }
  return problems;
}

test("[never-lost] a kill at any commit loses no update and sends no message twice", async () => {
  const wrong: unknown[] = [];
  let unknown = 0;
  // The first commits belong to the startup, which is awaited there.
  for (let half = 6; half < 2 * most; half += 1) {
    const commits = Math.floor(half / 2);
    const losesAnswer = half % 2 === 1;
    const storage = createMemoryStorage();
    const service = new TestService({ settings: { people: ["ada", "bob"] } });
    const given: Given = { messages: [], commands: 0 };
    const isWhole = await live(cutAfter(storage, commits, { losesAnswer }), service, given);

    await using world = await ChatsWorld.start({
      storage,
      service,
      clock: new FakeClock(Date.UTC(2026, 0, 1, 0, 2)),
    });
    await world.rest();
    const problems = await problemsOf(world, given);
    if (problems.length > 0) wrong.push({ commits, losesAnswer, problems });
    unknown += (await world.chats.channels())[0]?.unknown ?? 0;
    if (isWhole) {
      expect(wrong).toEqual([]);
      expect(commits).toBeGreaterThan(30);
      expect(unknown).toBeGreaterThan(3);
      expect(service.texts("ada")).toEqual(["Re: One", "Re: Two", begun, "Re: Three"]);
      return;
    }
  }
  throw new Error(`The story takes more than ${most} commits`);
}, 300_000);
