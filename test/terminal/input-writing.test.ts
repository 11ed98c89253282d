import { expect, test } from "bun:test";
import { userMessagesSent } from "./sent-messages.ts";
import { keys } from "./sitting.ts";
import { newTerminalWorld } from "./terminal-world.ts";

const newLines = {
  "Alt-Enter": "\u001B\r",
  "Ctrl-J": "\n",
  "a backslash and Enter": "\\\r",
  "Shift-Enter": "\u001B[13;2u",
};

test("a message: Shift-Enter, Alt-Enter, Ctrl-J or backslash-Enter insert a line, and Enter sends", async () => {
  await using world = await newTerminalWorld();
  const sitting = await world.open();

  for (const [name, key] of Object.entries(newLines)) {
    await sitting.typeUntil(name, name);
    sitting.type(key);
  }
  await sitting.enterUntil("The end", "Reply 1");

  expect(userMessagesSent(world)).toEqual([[...Object.keys(newLines), "The end"].join("\n")]);
});

test("[attack:terminal-pasted-controls] a paste: does not send, and control characters are drawn escaped and sent verbatim", async () => {
  await using world = await newTerminalWorld();
  const sitting = await world.open();
  const hostile = "one\r\ntwo\t\u001B[31mred\u001B]0;title\u0007\u009B5A \u202Eevil\u2066 \u200Bzero \u{E0041}tag";

  const screen = await sitting.typeUntil(keys.pasted(`${hostile}\r`), "tag");
  await sitting.typeUntil(keys.enter, "Reply 1");

  expect(screen).toContain("two→␛[31mred␛]0;title␇\uFFFD5A \uFFFDevil\uFFFD \uFFFDzero \uFFFDtag");
  expect(screen).toContain("The pasted text has 8 invisible or control characters");
  expect(userMessagesSent(world)).toEqual([hostile.replace("\r\n", "\n")]);
  for (const steering of ["\u001B[31mred", "\u001B]0;title", "\u009B", "\u202E", "\u2066", "\u200B", "\u{E0041}"])
    expect(sitting.bytes).not.toContain(steering);
});

test("[trial:paste] a paste: ten lines are folded and sent completely, invalid UTF-8 as a mark", async () => {
  await using world = await newTerminalWorld();
  const sitting = await world.open();
  const lines = Array.from({ length: 12 }, (_, index) => `line ${index}`).join("\n");
  const invalid = [Buffer.from("\u001B[200~a"), Buffer.of(0xff, 0xc3, 0x28), Buffer.from("b\u001B[201~")];

  await sitting.typeUntil(`See ${keys.pasted(lines)}`, "See [paste #1 +12 lines]");
  await sitting.typeUntil(keys.enter, "Reply 1");
  await sitting.typeUntil(Buffer.concat(invalid), "a\uFFFD\uFFFD(b");
  await sitting.typeUntil(keys.enter, "Reply 2");

  expect(userMessagesSent(world)).toEqual([`See ${lines}`, "a\uFFFD\uFFFD(b"]);
});

test("a paste: 4 MB are shown as a size, deleted as one, and sent", async () => {
  await using world = await newTerminalWorld();
  const sitting = await world.open();
  const text = "0123456789abcde\n".repeat(262_144);
  const isDeleted = (screen: string): boolean => screen.includes("Read") && !screen.includes("[text");

  await sitting.typeUntil(`Read ${keys.pasted(text)}`, "Read [text 1: 262,145 lines, 4.0 MB]");
  await sitting.typeUntil(`${keys.backspace}${keys.backspace}`, isDeleted);
  await sitting.typeUntil(keys.pasted(text), "Read [text 2: 262,145 lines, 4.0 MB]");
  await sitting.typeUntil(keys.enter, "Reply 1");

  expect(userMessagesSent(world)).toEqual([`Read ${text}`]);
  expect(sitting.everything()).toContain("… 262,124 more lines …");
});

test("a paste: 10 MB are stored in a private file whose path is inserted", async () => {
  await using world = await newTerminalWorld();
  const sitting = await world.open({ env: { TMPDIR: world.home } });
  const text = "0123456789abcde\n".repeat(655_360);
  const beganMs = performance.now();

  const screen = await sitting.typeUntil(`Read ${keys.pasted(text)}and say`, "and say");
  const tookMs = performance.now() - beganMs;

  const [path = ""] = /\/\S+\/pasted\.txt/.exec(screen.replaceAll("\n", "")) ?? [];
  expect(await Bun.file(path).text()).toBe(text);
  expect((await Bun.file(path).stat()).mode & 0o777).toBe(0o600);
  expect(tookMs).toBeLessThan(20_000);
}, 60_000);

test("a message: one too large for the host returns to the editor with its attachments", async () => {
  await using world = await newTerminalWorld();
  const sitting = await world.open();
  const text = "0123456789abcde\n".repeat(286_720);

  await sitting.typeUntil(keys.pasted(text), "[text 1: 286,721 lines, 4.4 MB]");
  await sitting.typeUntil(keys.pasted(text), "[text 2: 286,721 lines, 4.4 MB]");
  await sitting.typeUntil(keys.enter, "The body is larger than");
  await sitting.sees(/^\[text 1: 286,721 lines, 4\.4 MB\] \[text 2: 286,721 lines, 4\.4 MB\]/m);
  await sitting.typeUntil(keys.backspace, (screen) => !screen.includes("[text 2"));
  await sitting.typeUntil(keys.enter, "Reply 1");

  expect(userMessagesSent(world)).toEqual([text]);
});
