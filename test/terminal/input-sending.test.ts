import { expect, test } from "bun:test";
import { join } from "node:path";
import { userMessagesSent } from "./sent-messages.ts";
import { keys } from "./sitting.ts";
import { newTerminalWorld } from "./terminal-world.ts";

const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function written(text: string): RegExp {
  return new RegExp(`^${text}$`, "m");
}

test("messages: those entered before the host is ready are sent in order", async () => {
  await using world = await newTerminalWorld();
  const sitting = world.sit();
  await sitting.sees("Incipit");

  sitting.enter("The first");
  sitting.enter("The second");
  sitting.enter("The third");
  await sitting.sees("Reply 3");

  expect(userMessagesSent(world)).toEqual(["The first", "The second", "The third"]);
});

test("messages: later ones do not overtake one with large files", async () => {
  await using world = await newTerminalWorld();
  const large = "0123456789abcde\n".repeat(65_536);
  for (const name of ["one.txt", "two.txt"]) await Bun.write(join(world.work, name), large);
  const sitting = world.sit();
  await sitting.sees("local/test");

  sitting.type(`Read @one.txt and @two.txt${keys.enter}Then this${keys.enter}`);
  await sitting.sees("Reply 2");

  expect(userMessagesSent(world).map((text) => text.slice(-26))).toEqual([
    "Read @one.txt and @two.txt",
    "Then this",
  ]);
});

test("messages: queued during a turn; Alt-Up returns the last one with its file", async () => {
  await using world = await newTerminalWorld();
  await Bun.write(join(world.work, "notes.md"), "Otters");
  world.model.enqueue({ kind: "text", chunks: ["One ", "two ", "three"], gate: true });
  const sitting = world.sit();
  await sitting.sees("local/test");

  sitting.enter("Count slowly");
  await world.model.waitForRequests(1);
  sitting.enter("Then this");
  await sitting.sees("1. Then this");
  sitting.enter("And read @notes.md");
  await sitting.sees("2. And read @notes.md");
  sitting.type("Half");
  await sitting.sees(written("Half"));
  sitting.type(keys.altUp);
  const screen = await sitting.sees(written("And read @notes\\.md"));
  sitting.type(" again");
  await sitting.sees(written("Half again"));
  sitting.type(keys.enter);
  await sitting.sees("2. And read @notes.md");
  world.model.releaseAll();
  await sitting.sees("Reply 3");

  expect(screen).toMatch(/^And read @notes\.md\nHalf$/m);
  expect(screen).not.toContain("2. ");
  expect(userMessagesSent(world)).toEqual([
    "Count slowly",
    "Then this",
    "notes.md:\n\nOtters\n\nAnd read @notes.md\nHalf again",
  ]);
});

test("Esc stops the turn and keeps the text; Ctrl-C clears, then stops, then leaves", async () => {
  await using world = await newTerminalWorld();
  world.model.enqueue({ kind: "text", chunks: ["One ", "two"], gate: true });
  world.model.enqueue({ kind: "text", chunks: ["Three ", "four"], gate: true });
  const sitting = world.sit();
  await sitting.sees("local/test");

  sitting.enter("Count slowly");
  await world.model.waitForRequests(1);
  world.model.release();
  await sitting.sees("One");
  sitting.type("Half");
  await sitting.sees(written("Half"));
  sitting.type(keys.escape);
  await sitting.sees("Stopped");
  expect(sitting.screen()).toMatch(written("Half"));
  sitting.type(keys.ctrl("c"));
  await sitting.sees((screen) => !screen.includes("Half"));
  sitting.enter("Go on");
  await world.model.waitForRequests(2);
  await sitting.sees("Waiting for");
  sitting.type(keys.ctrl("c"));
  await sitting.sees((screen) => screen.split("Stopped").length === 3);
  // A second press counts for two seconds; on a slow machine it counts as a first one.
  sitting.type(keys.ctrl("c").repeat(2));

  expect(await sitting.exited).toBe(130);
  expect(sitting.screen()).toContain("Go on with: incipit -s");
});

test("Esc returns queued messages to the editor in order, with files and pictures", async () => {
  await using world = await newTerminalWorld();
  await Bun.write(join(world.work, "notes.md"), "Otters");
  await Bun.write(join(world.work, "dot.png"), Buffer.from(dot, "base64"));
  world.model.enqueue({ kind: "text", chunks: ["One ", "two ", "three"], gate: true });
  const sitting = world.sit();
  await sitting.sees("local/test");

  sitting.enter("Count slowly");
  await world.model.waitForRequests(1);
  sitting.enter("Read @notes.md");
  await sitting.sees("1. Read @notes.md");
  sitting.type(keys.pasted(join(world.work, "dot.png")));
  await sitting.sees("[image 1: dot.png");
  sitting.enter("What is this?");
  await sitting.sees("2. [image 1");
  sitting.type("Half");
  await sitting.sees(written("Half"));
  sitting.type(keys.escape);
  await sitting.sees("The 2 queued messages are back in the editor");
  await sitting.sees("Stopped");
  const screen = await sitting.sees(written("Half"));
  const asked = world.model.requests.length;
  sitting.type(keys.enter);
  await sitting.sees("Reply 2");

  expect(screen).toMatch(/^Read @notes\.md\n\[image 1: dot\.png, \d+ bytes\] What is this\?\nHalf$/m);
  expect(asked).toBe(1);
  expect(userMessagesSent(world).at(-1)).toContain("Otters");
  expect(world.model.requests.at(-1)?.body).toContain(dot);
});

test("message history survives runs via Up and Ctrl-R, readable only by its user", async () => {
  await using world = await newTerminalWorld();
  const first = world.sit();
  const second = world.sit();
  await first.sees("local/test");
  await second.sees("local/test");

  for (const number of [1, 2, 3]) {
    first.enter(`From the first ${number}`);
    second.enter(`From the second ${number}`);
  }
  await first.sees("From the first 3");
  await second.sees("From the second 3");
  await first.sees((screen) => screen.split("Reply").length === 4);
  await second.sees((screen) => screen.split("Reply").length === 4);
  const third = world.sit();
  await third.sees("local/test");
  third.type(keys.ctrl("r"));
  await third.sees("1 of 6");
  third.type("second 2");
  await third.sees("From the second 2");
  third.type(keys.enter);
  await third.sees(written("From the second 2"));
  third.type(keys.ctrl("u"));
  await third.sees((screen) => !screen.includes("From"));
  third.type(keys.up);
  await third.sees(/^From the (?:first|second) 3$/m);

  const [file = ""] = (await Bun.$`find ${world.home} -name terminal-history.jsonl`.text()).trim().split("\n");
  expect((await Bun.file(file).stat()).mode & 0o777).toBe(0o600);
});

test("a silent terminal of 20 by 5 shows the edited line and the answer", async () => {
  await using world = await newTerminalWorld();
  const sitting = world.sit({ columns: 20, rows: 5, isMute: true, env: { TERM: "linux" } });
  await sitting.sees("─".repeat(20));

  sitting.type("one\nsecond\nthird\nfourth\nfifth");
  await sitting.sees(/^fifth/m);
  sitting.type(keys.up.repeat(4));
  await sitting.sees(/^one/m);
  sitting.type(`${keys.down.repeat(4)}${keys.enter}`);
  await sitting.sees("Reply 1");

  expect(userMessagesSent(world)).toEqual(["one\nsecond\nthird\nfourth\nfifth"]);
});

test("[trial:resize] resizing the window while typing and streaming loses no text", async () => {
  await using world = await newTerminalWorld();
  const words = Array.from({ length: 60 }, (_, index) => `word${index}x `);
  world.model.enqueue({ kind: "text", chunks: words, gate: true });
  const sitting = world.sit();
  await sitting.sees("local/test");
  sitting.enter("Count slowly");
  await world.model.waitForRequests(1);

  for (const [index, columns] of [70, 40, 23, 55, 100, 80].entries()) {
    for (let released = 0; released < 8; released += 1) world.model.release();
    sitting.type(`typed${index} `);
    await sitting.sees(`typed${index}`);
    sitting.resize(columns, 24);
  }
  world.model.releaseAll();
  await sitting.sees("word59x");
  await sitting.sees("all");
  sitting.type(keys.enter);
  await sitting.sees("Reply 2");

  expect(userMessagesSent(world).at(-1)).toBe("typed0 typed1 typed2 typed3 typed4 typed5");
  const everything = sitting.everything();
  expect(words.filter((word) => !everything.includes(word.trim()))).toEqual([]);
});

const scripts = {
  "Chinese and Japanese": "漢字かな交じり文を編集する試験、漢字とカナ。",
  "emoji with joiners": "👩‍👩‍👧‍👦 family 👍🏽 thumb 🇩🇪 flag ❤️ heart 1️⃣ one",
  "right to left": "שלום עולם זה מבחן مرحبا بالعالم هذا اختبار",
  "accents and Hindi": "é ñ a\u0301 नमस्ते दुनिया क्षत्रिय",
};

for (const columns of [20, 50, 80])
  for (const [name, text] of Object.entries(scripts))
    test(`${name} in ${columns} columns: wrapped within the window, deleted by grapheme, and sent unchanged`, async () => {
      await using world = await newTerminalWorld();
      const sitting = world.sit({ columns });
      await sitting.sees("local/test");

      sitting.type(`${text}X`);
      await sitting.sees("X");
      sitting.type(`${keys.backspace}END`);
      const screen = await sitting.sees("END");
      sitting.type(keys.enter);
      await sitting.sees("Reply 1");

      const borders = screen.split("\n").flatMap((line, row) => (/^─+$/.test(line) ? [row] : []));
      const [top = 0, bottom = 0] = borders;
      const lines = screen.split("\n").slice(top + 1, bottom);
      expect(
        lines
          .map((line) => line.trim())
          .join("")
          .replaceAll(" ", ""),
      ).toBe(`${text}END`.replaceAll(" ", ""));
      expect(borders).toHaveLength(2);
      expect(userMessagesSent(world)).toEqual([`${text}END`]);
    });
