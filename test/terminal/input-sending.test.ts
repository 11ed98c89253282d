import { expect, test } from "bun:test";
import { userMessagesSent } from "./sent-messages.ts";
import { keys } from "./sitting.ts";
import { newTerminalWorld } from "./terminal-world.ts";

const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function written(text: string): RegExp {
  return new RegExp(`^${text}$`, "m");
}

test("messages entered before the host is ready are sent in order", async () => {
  await using world = await newTerminalWorld();
  const sitting = world.sit();
  await sitting.sees("Incipit");

  sitting.enter("The first");
  sitting.enter("The second");
  await sitting.enterUntil("The third", "Reply 3");

  expect(userMessagesSent(world)).toEqual(["The first", "The second", "The third"]);
});

test("messages do not overtake an earlier one with large files", async () => {
  const large = "0123456789abcde\n".repeat(65_536);
  await using world = await newTerminalWorld({ files: { "one.txt": large, "two.txt": large } });
  const sitting = await world.open();

  await sitting.typeUntil(`Read @one.txt and @two.txt${keys.enter}Then this${keys.enter}`, "Reply 2");

  const sent = userMessagesSent(world).map((text) => text.slice(-26));
  expect(sent).toEqual(["Read @one.txt and @two.txt", "Then this"]);
});

test("messages entered during a turn are queued, and Alt-Up edits the last one", async () => {
  await using world = await newTerminalWorld();
  await world.write("notes.md", "Otters");
  world.model.enqueue({ kind: "text", chunks: ["One ", "two ", "three"], gate: true });
  const sitting = await world.open();

  sitting.enter("Count slowly");
  await world.model.waitForRequests(1);
  await sitting.enterUntil("Then this", "1. Then this");
  await sitting.enterUntil("And read @notes.md", "2. And read @notes.md");
  await sitting.typeUntil("Half", written("Half"));
  const screen = await sitting.typeUntil(keys.altUp, written("And read @notes\\.md"));
  await sitting.typeUntil(" again", written("Half again"));
  await sitting.typeUntil(keys.enter, "2. And read @notes.md");
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
  const sitting = await world.open();

  sitting.enter("Count slowly");
  await world.model.waitForRequests(1);
  world.model.release();
  await sitting.sees("One");
  await sitting.typeUntil("Half", written("Half"));
  await sitting.typeUntil(keys.escape, "Stopped");
  expect(sitting.screen()).toMatch(written("Half"));
  await sitting.typeUntil(keys.ctrl("c"), (screen) => !screen.includes("Half"));
  sitting.enter("Go on");
  await world.model.waitForRequests(2);
  await sitting.sees("Waiting for");
  await sitting.typeUntil(keys.ctrl("c"), (screen) => screen.split("Stopped").length === 3);
  // A second press counts for two seconds; on a slow machine it counts as a first one.
  sitting.type(keys.ctrl("c").repeat(2));

  expect(await sitting.exited).toBe(130);
  expect(sitting.screen()).toContain("Go on with: incipit -s");
});

test("Esc returns queued messages to the editor in order, with files and pictures", async () => {
  await using world = await newTerminalWorld();
  await world.write("notes.md", "Otters");
  await world.write("dot.png", Buffer.from(dot, "base64"));
  world.model.enqueue({ kind: "text", chunks: ["One ", "two ", "three"], gate: true });
  const sitting = await world.open();

  sitting.enter("Count slowly");
  await world.model.waitForRequests(1);
  await sitting.enterUntil("Read @notes.md", "1. Read @notes.md");
  await sitting.typeUntil(keys.pasted(world.path("dot.png")), "[image 1: dot.png");
  await sitting.enterUntil("What is this?", "2. [image 1");
  await sitting.typeUntil("Half", written("Half"));
  await sitting.typeUntil(keys.escape, "The 2 queued messages are back in the editor");
  await sitting.sees("Stopped");
  const screen = await sitting.sees(written("Half"));
  const asked = world.model.requests.length;
  await sitting.typeUntil(keys.enter, "Reply 2");

  expect(screen).toMatch(/^Read @notes\.md\n\[image 1: dot\.png, \d+ bytes\] What is this\?\nHalf$/m);
  expect(asked).toBe(1);
  expect(userMessagesSent(world).at(-1)).toContain("Otters");
  expect(world.lastBody).toContain(dot);
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
  const third = await world.open();
  await third.typeUntil(keys.ctrl("r"), "1 of 6");
  await third.typeUntil("second 2", "From the second 2");
  await third.typeUntil(keys.enter, written("From the second 2"));
  await third.typeUntil(keys.ctrl("u"), (screen) => !screen.includes("From"));
  await third.typeUntil(keys.up, /^From the (?:first|second) 3$/m);

  const [file = ""] = (await Bun.$`find ${world.home} -name terminal-history.jsonl`.text()).trim().split("\n");
  expect((await Bun.file(file).stat()).mode & 0o777).toBe(0o600);
});

test("a silent terminal of 20 by 5 shows the edited line and the answer", async () => {
  await using world = await newTerminalWorld();
  const sitting = world.sit({ columns: 20, rows: 5, isMute: true, env: { TERM: "linux" } });
  await sitting.sees("─".repeat(20));

  await sitting.typeUntil("one\nsecond\nthird\nfourth\nfifth", /^fifth/m);
  await sitting.typeUntil(keys.up.repeat(4), /^one/m);
  await sitting.typeUntil(`${keys.down.repeat(4)}${keys.enter}`, "Reply 1");

  expect(userMessagesSent(world)).toEqual(["one\nsecond\nthird\nfourth\nfifth"]);
});

test("[trial:resize] resizing the window while typing and streaming loses no text", async () => {
  await using world = await newTerminalWorld();
  const words = Array.from({ length: 60 }, (_, index) => `word${index}x `);
  world.model.enqueue({ kind: "text", chunks: words, gate: true });
  const sitting = await world.open();
  sitting.enter("Count slowly");
  await world.model.waitForRequests(1);

  for (const [index, columns] of [70, 40, 23, 55, 100, 80].entries()) {
    for (let released = 0; released < 8; released += 1) world.model.release();
    await sitting.typeUntil(`typed${index} `, `typed${index}`);
    sitting.resize(columns, 24);
  }
  world.model.releaseAll();
  await sitting.sees("word59x");
  await sitting.sees("all");
  await sitting.typeUntil(keys.enter, "Reply 2");

  expect(userMessagesSent(world).at(-1)).toBe("typed0 typed1 typed2 typed3 typed4 typed5");
  const everything = sitting.everything();
  expect(words.filter((word) => !everything.includes(word.trim()))).toEqual([]);
});

/** Chinese and Japanese, emoji with joiners, right to left, accents and Hindi. */
const scripts = [
  "漢字かな交じり文を編集する試験、漢字とカナ。",
  "👩‍👩‍👧‍👦 family 👍🏽 thumb 🇩🇪 flag ❤️ heart 1️⃣ one",
  "שלום עולם זה מבחן مرحبا بالعالم هذا اختبار",
  "é ñ a\u0301 नमस्ते दुनिया क्षत्रिय",
];

/** Between the borders, without white space. */
function editorText(screen: string): string {
  const [, text = ""] = /(?:^|\n)─+\n([^]*?)\n─+(?:\n|$)/.exec(screen) ?? [];
  return text.replaceAll(/\s/g, "");
}

for (const columns of [20, 50, 80])
  test(`any script in ${columns} columns: wrapped within the window, deleted by grapheme, and sent unchanged`, async () => {
    await using world = await newTerminalWorld();
    const sitting = await world.open({ columns });

    for (const [index, text] of scripts.entries()) {
      const isWritten = (end: string) => (screen: string) =>
        editorText(screen) === `${text}${end}`.replaceAll(" ", "");
      await sitting.typeUntil(`${text}X`, isWritten("X"));
      await sitting.typeUntil(`${keys.backspace}END`, isWritten("END"));
      await sitting.typeUntil(keys.enter, `Reply ${index + 1}`);
    }

    expect(userMessagesSent(world)).toEqual(scripts.map((text) => `${text}END`));
  });
