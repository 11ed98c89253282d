import type { ModelReply } from "@incipit/testkit";
import { routes, type Client } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { sourceCommand } from "../support/host-process.ts";
import { randomNumbers } from "../support/random-numbers.ts";
import { keys, type Sitting } from "./sitting.ts";
import { TerminalWorld } from "./terminal-world.ts";

/** `TYPING_SESSIONS=10000 bun test test/terminal/typing.test.ts`; `TYPING_SEED=N` repeats a run. */
const sessions = Number(process.env["TYPING_SESSIONS"] ?? 40);
const seed = Number(process.env["TYPING_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const random = randomNumbers(seed);

/** A session takes a tenth of a second, and over ten times that on a busy machine. */
const timeoutMs = 120_000 + sessions * 3_000;
/** Short, so that simulated pauses are short. */
const settleMs = 40;
const frameMs = 17;
/** Limits the size of requests, which grow with the conversation. */
const sessionsPerConversation = 25;

const words = [
  "y",
  "yes",
  "n",
  "no",
  "1",
  "3 of them",
  "f",
  "please carry on",
  "any",
  "yyy",
  "2",
  "fine, 1 and 2",
  "n1",
];
const answerKeys = ["y", "n", "1", "2"] as const;
const [escape, enter] = [keys.escape, keys.enter];
/** Escape in Kitty's keyboard protocol: a letter after it in the same read is not Alt with that letter. */
const escapeKey = "\u001B[27u";
/** Terminal reports that are not keys: focus, a release, a wheel. */
const reports = ["\u001B[I", "\u001B[O", "\u001B[121;1:3u", "\u001B[<64;3;3M"];

function pick<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("There is nothing to pick from");
  return item;
}

const isChance = (chance: number): boolean => random() < chance;

/** A single character could be an answer key. */
function sentence(): string {
  const count = 1 + Math.floor(random() * 3);
  const text = Array.from({ length: count }, () => pick(words)).join(" ");
  return text.length === 1 ? `${text}${text}` : text;
}

/** Sometimes long enough for a question to accept answers. */
const pause = (): Promise<void> => Bun.sleep(isChance(0.12) ? settleMs + frameMs + random() * 20 : random() * 6);

interface Raised {
  readonly approvalId: Promise<string>;
  readonly decision: Promise<string>;
  readonly ended: Promise<void>;
}

class Desk implements AsyncDisposable {
  readonly sitting: Sitting;
  readonly client: Client;
  readonly said: string[] = [];
  conversationId: string;
  readonly #world: TerminalWorld;

  private constructor(options: Pick<Desk, "sitting" | "client" | "conversationId"> & { world: TerminalWorld }) {
    this.#world = options.world;
    this.sitting = options.sitting;
    this.client = options.client;
    this.conversationId = options.conversationId;
  }

  static async open(): Promise<Desk> {
    const world = await TerminalWorld.start({ config: "tools.workspace = true" });
    const host = await world.host();
    const { id } = await host.createConversation({ title: "talk 0" });
    const [bun = ""] = sourceCommand;
    const terminal = join(import.meta.dir, "typing-terminal.ts");
    const command = [bun, "--no-env-file", terminal, host.url, host.token, id, String(settleMs)];
    const sitting = world.sit({ command, columns: 100, rows: 30 });
    const desk = new Desk({ world, sitting, client: host.client, conversationId: id });
    world.model.answer = (body) => desk.#reply(body);
    await sitting.sees("local/test");
    return desk;
  }

  #reply(body: string): ModelReply {
    const last = lastMessage(body);
    const calls = /^raise (\d+) (\d+)$/.exec(last);
    if (calls === null) {
      if (last !== "") this.said.push(last);
      return { kind: "text", chunks: ["."] };
    }
    const [, count, number] = calls;
    return {
      kind: "tool-calls",
      calls: Array.from({ length: Number(count) }, (_, index) => ({
        id: `call-${number}-${index}`,
        name: "shell",
        arguments: JSON.stringify({ command: `true ${number} ${index}` }),
      })),
    };
  }

  raise(number: number, count = 1): readonly Raised[] {
    const raised = Array.from({ length: count }, () => ({
      approvalId: Promise.withResolvers<string>(),
      decision: Promise.withResolvers<string>(),
    }));
    const ended = Promise.withResolvers<void>();
    ended.promise.catch(() => {}); // A failed session does not await it.
    const ids: string[] = [];
    const follow = async (): Promise<void> => {
      for await (const event of this.client.sendTurn(this.conversationId, { input: `raise ${count} ${number}` })) {
        if (event.type === "approval-request") {
          raised[ids.length]?.approvalId.resolve(event.approvalId);
          ids.push(event.approvalId);
        }
        if (event.type === "approval-end") raised[ids.indexOf(event.approvalId)]?.decision.resolve(event.decision);
      }
      ended.resolve();
    };
    follow().catch(ended.reject);
    return raised.map(({ approvalId, decision }) => ({
      approvalId: approvalId.promise,
      decision: decision.promise,
      ended: ended.promise,
    }));
  }

  async withdraw({ approvalId }: Raised): Promise<void> {
    const params = { id: this.conversationId, approvalId: await approvalId };
    await this.client.call(routes.answerApproval, { params, body: { decision: "deny" } });
  }

  get editor(): string {
    const rows = this.sitting.rows();
    const end = rows.findLastIndex((row) => /^─+$/.test(row));
    const begin = rows.findLastIndex((row, index) => index < end && /^─+$/.test(row));
    return begin < 0 ? "?" : rows.slice(begin + 1, end).join("\n");
  }

  async holds(text: string): Promise<void> {
    await this.sitting.sees(() => this.editor === text.trimEnd());
  }

  /** Further text then appends to it. */
  async hasRead(text: string): Promise<void> {
    this.sitting.type("§");
    await this.holds(`${text}§`);
  }

  async clear(): Promise<void> {
    this.sitting.type(`${keys.ctrl("e")}${keys.ctrl("u")}`);
    await this.holds("");
  }

  async isUnasked(): Promise<void> {
    await this.sitting.sees((screen) => !screen.includes("needs approval to run"));
  }

  async ready(): Promise<void> {
    await this.sitting.sees("Key, then Enter");
  }

  async another(number: number): Promise<void> {
    const body = { cwd: this.#world.work, title: `talk ${number}` };
    const { conversation } = await this.client.call(routes.createConversation, { body });
    this.conversationId = conversation.id;
    this.sitting.enter(`/resume ${conversation.id}`);
    await this.sitting.sees(`Opened "talk ${number}"`);
    await this.holds("");
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#world[Symbol.asyncDispose]();
  }
}

function lastMessage(body: string): string {
  const text =
    /"role":"user","content":(?:"((?:[^"\\]|\\.)*)"|\[\{"type":"text","text":"((?:[^"\\]|\\.)*)"\}\])\}\]/.exec(
      body,
    );
  const found = text?.[1] ?? text?.[2];
  return found === undefined ? "" : String(JSON.parse(`"${found}"`));
}

interface Session {
  readonly desk: Desk;
  readonly number: number;
}

async function type(
  desk: Desk,
  text: readonly string[],
  at: ReadonlyMap<number, () => void> = new Map(),
): Promise<void> {
  for (const [index, key] of text.entries()) {
    at.get(index)?.();
    if (isChance(0.05)) desk.sitting.type(pick(reports));
    desk.sitting.type(key);
    await pause();
  }
  at.get(text.length)?.();
}

async function expectSaid(desk: Desk, text: string): Promise<void> {
  for (let tries = 0; !desk.said.includes(text) && tries < 4_000; tries += 1) await Bun.sleep(5);
  expect(desk.said).toContain(text);
  desk.said.splice(0);
}

async function withdrawAll(desk: Desk, raised: readonly Raised[]): Promise<void> {
  for (const question of raised) await desk.withdraw(question);
  await raised[0]?.ended;
  await desk.isUnasked();
}

/** Each types with an intention and checks host and terminal against it. */
const kinds: Readonly<Record<string, (session: Session) => Promise<void>>> = {
  async words({ desk, number }) {
    const text = sentence();
    const isEntered = isChance(0.5);
    const typed = [...Array.from(text), ...(isEntered ? [enter] : [])];
    let raised: readonly Raised[] = [];
    const moment = Math.floor(random() * (typed.length + 1));
    await type(desk, typed, new Map([[moment, () => (raised = desk.raise(number))]]));
    await raised[0]?.approvalId;
    await desk.hasRead(isEntered ? "" : text);
    await desk.clear();
    await withdrawAll(desk, raised);
    if (isEntered) await expectSaid(desk, text);
  },

  /** Escape closes nothing in it. */
  async standing({ desk, number }) {
    const raised = desk.raise(number);
    await desk.ready();
    const text = sentence();
    const [first = "", ...rest] = Array.from(text);
    const withEscapes = rest.flatMap((letter) => (isChance(0.15) ? [letter, escapeKey] : [letter]));
    desk.sitting.type(first);
    await pause();
    for (const key of withEscapes) {
      desk.sitting.type(key);
      await pause();
    }
    const isEntered = isChance(0.5);
    if (isEntered) desk.sitting.type(enter);
    await desk.hasRead(isEntered ? "" : text);
    await desk.clear();
    await withdrawAll(desk, raised);
    if (isEntered) await expectSaid(desk, text);
  },

  async pastes({ desk, number }) {
    const raised = desk.raise(number);
    if (isChance(0.7)) await desk.ready();
    else await pause();
    const text = isChance(0.5) ? pick(answerKeys) : sentence();
    const isBracketed = isChance(0.5);
    if (isBracketed) {
      desk.sitting.type(keys.pasted(text));
      await pause();
    } else desk.sitting.type(`${text}${enter}`);
    const isEntered = !isBracketed || isChance(0.5);
    if (isBracketed && isEntered) desk.sitting.type(enter);
    await raised[0]?.approvalId;
    await desk.hasRead(isEntered ? "" : text);
    await desk.clear();
    await withdrawAll(desk, raised);
    if (isEntered) await expectSaid(desk, text);
  },

  async repeats({ desk, number }) {
    const raised = desk.raise(number);
    await desk.ready();
    const text = pick(answerKeys).repeat(2 + Math.floor(random() * 6));
    for (const key of text) {
      desk.sitting.type(key);
      await Bun.sleep(random() * 10);
    }
    desk.sitting.type(enter);
    await desk.hasRead("");
    await desk.clear();
    await withdrawAll(desk, raised);
    await expectSaid(desk, text);
  },

  /** The letter was typed before the question. */
  async before({ desk, number }) {
    const text = pick(answerKeys);
    desk.sitting.type(text);
    await desk.holds(text);
    const raised = desk.raise(number);
    if (isChance(0.5)) await desk.sitting.sees("Keys go to the editor");
    else await pause();
    desk.sitting.type(enter);
    await raised[0]?.approvalId;
    await desk.hasRead("");
    await desk.clear();
    await withdrawAll(desk, raised);
    await expectSaid(desk, text);
  },

  async answers({ desk, number }) {
    const raised = desk.raise(number);
    await desk.ready();
    const key = pick(["y", "n"]);
    desk.sitting.type(key);
    await desk.sitting.sees("(Enter answers)");
    desk.sitting.type(enter);
    expect(await raised[0]?.decision).toBe(key === "y" ? "allow" : "deny");
    await raised[0]?.ended;
    await desk.isUnasked();
    await desk.holds("");
  },

  async moves({ desk, number }) {
    const draft = sentence();
    await type(desk, Array.from(draft));
    await desk.holds(draft);
    const raised = desk.raise(number);
    await desk.sitting.sees("Keys go to the editor");
    desk.sitting.type(keys.shiftTab);
    await desk.sitting.sees("Esc returns");
    desk.sitting.type(keys.down);
    await desk.sitting.sees("> y yes, this call");
    if (isChance(0.5)) {
      desk.sitting.type("1");
      await desk.holds(`${draft}1`);
      desk.sitting.type(keys.backspace);
      await desk.holds(draft);
      await withdrawAll(desk, raised);
    } else {
      desk.sitting.type(enter);
      expect(await raised[0]?.decision).toBe("allow");
      await raised[0]?.ended;
      await desk.isUnasked();
    }
    await desk.holds(draft);
    await desk.clear();
  },

  async escapes({ desk, number }) {
    const raised = desk.raise(number);
    await desk.ready();
    desk.sitting.type(escape);
    expect(await raised[0]?.decision).toBe("deny");
    await raised[0]?.ended;
    await desk.isUnasked();
  },

  async twice({ desk, number }) {
    const raised = desk.raise(number, 2);
    await desk.ready();
    desk.sitting.type("n");
    await desk.sitting.sees("(Enter answers)");
    desk.sitting.type(enter);
    await desk.holds(""); // Both in one read would count as a paste.
    await Bun.sleep(random() * 60);
    desk.sitting.type(enter);
    const answered = await Promise.race(raised.map(async ({ decision }, index) => ({ index, as: await decision })));
    expect(answered.as).toBe("deny");
    await desk.hasRead("");
    await desk.clear();
    await withdrawAll(
      desk,
      raised.filter((_, index) => index !== answered.index),
    );
    await raised[0]?.ended;
    await desk.isUnasked();
  },

  async elsewhere({ desk, number }) {
    const raised = desk.raise(number);
    await desk.ready();
    desk.sitting.type("y");
    await desk.sitting.sees("(Enter answers)");
    await withdrawAll(desk, raised);
    desk.sitting.type(enter);
    await desk.hasRead("y");
    await desk.clear();
    expect(desk.said).toEqual([]);
  },

  /** The process is stopped when a question arrives: y is typed before it could be seen, then Enter. */
  async stopped({ desk, number }) {
    process.kill(desk.sitting.pid, "SIGSTOP");
    const raised = desk.raise(number);
    await raised[0]?.approvalId;
    desk.sitting.type("y");
    await Bun.sleep(settleMs + random() * 40);
    process.kill(desk.sitting.pid, "SIGCONT");
    await desk.holds("y");
    desk.sitting.type(enter);
    await desk.hasRead("");
    await desk.clear();
    await withdrawAll(desk, raised);
    await expectSaid(desk, "y");
  },
};

const shares: readonly (readonly [kind: string, share: number])[] = [
  ["words", 40],
  ["standing", 15],
  ["pastes", 12],
  ["repeats", 6],
  ["before", 8],
  ["answers", 6],
  ["moves", 4],
  ["escapes", 3],
  ["twice", 2],
  ["elsewhere", 2],
  ["stopped", 2],
];

function pickKind(): string {
  let left = random() * shares.reduce((sum, [, share]) => sum + share, 0);
  return shares.find(([, share]) => (left -= share) < 0)?.[0] ?? "words";
}

test(
  "[attack:terminal-typed-into-question] random typing in a real terminal: no editor key answers a question",
  async () => {
    await using desk = await Desk.open();
    const counts = new Map<string, number>();
    for (let number = 1; number <= sessions; number += 1) {
      const kind = pickKind();
      try {
        await kinds[kind]?.({ desk, number });
      } catch (error) {
        throw new Error(`Session ${number} (${kind}) of TYPING_SEED=${seed} failed:\n${desk.sitting.screen()}`, {
          cause: error,
        });
      }
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      if (number % sessionsPerConversation === 0 && number < sessions) await desk.another(number);
    }
    const all = [...counts].map(([kind, count]) => `${count} ${kind}`).join(", ");
    process.stdout.write(`${sessions} typing sessions, TYPING_SEED=${seed}: ${all}\n`);
  },
  timeoutMs,
);
