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
  const sitting = world.sit();
  await sitting.sees("local/test");

  for (const [name, key] of Object.entries(newLines)) {
    sitting.type(name);
    await sitting.sees(name);
    sitting.type(key);
  }
  sitting.enter("The end");
  await sitting.sees("Reply 1");

  expect(userMessagesSent(world)).toEqual([[...Object.keys(newLines), "The end"].join("\n")]);
});

test("[attack:terminal-pasted-controls] a paste: does not send, and control characters are drawn escaped and sent verbatim", async () => {
  await using world = await newTerminalWorld();
  const sitting = world.sit();
  await sitting.sees("local/test");
  const hostile = "one\r\ntwo\t\u001B[31mred\u001B]0;title\u0007\u009B5A \u202Eevil\u2066 \u200Bzero \u{E0041}tag";

  sitting.type(keys.pasted(`${hostile}\r`));
  const screen = await sitting.sees("tag");
  sitting.type(keys.enter);
  await sitting.sees("Reply 1");

  expect(screen).toContain("two→␛[31mred␛]0;title␇\uFFFD5A \uFFFDevil\uFFFD \uFFFDzero \uFFFDtag");
  expect(screen).toContain("The pasted text has 8 invisible or control characters");
  expect(userMessagesSent(world)).toEqual([hostile.replace("\r\n", "\n")]);
  for (const steering of ["\u001B[31mred", "\u001B]0;title", "\u009B", "\u202E", "\u2066", "\u200B", "\u{E0041}"])
    expect(sitting.bytes).not.toContain(steering);
});

test("[trial:paste] a paste: ten lines are folded and sent completely", async () => {
  await using world = await newTerminalWorld();
  const sitting = world.sit();
  await sitting.sees("local/test");
  const lines = Array.from({ length: 12 }, (_, index) => `line ${index}`).join("\n");

  sitting.type(`See ${keys.pasted(lines)}`);
  await sitting.sees("See [paste #1 +12 lines]");
  sitting.type(keys.enter);
  await sitting.sees("Reply 1");

  expect(userMessagesSent(world)).toEqual([`See ${lines}`]);
});

test("a paste: 4 MB are shown as a size, deleted as one, and sent", async () => {
  await using world = await newTerminalWorld();
  const sitting = world.sit();
  await sitting.sees("local/test");
  const text = "0123456789abcde\n".repeat(262_144);

  sitting.type(`Read ${keys.pasted(text)}`);
  await sitting.sees("Read [text 1: 262,145 lines, 4.0 MB]");
  sitting.type(`${keys.backspace}${keys.backspace}`);
  await sitting.sees((screen) => screen.includes("Read") && !screen.includes("[text"));
  sitting.type(keys.pasted(text));
  await sitting.sees("Read [text 2: 262,145 lines, 4.0 MB]");
  sitting.type(keys.enter);
  await sitting.sees("Reply 1");

  expect(userMessagesSent(world)).toEqual([`Read ${text}`]);
  expect(sitting.everything()).toContain("… 262,124 more lines …");
});

test("a paste: 10 MB are stored in a private file whose path is inserted", async () => {
  await using world = await newTerminalWorld();
  const sitting = world.sit({ env: { TMPDIR: world.home } });
  await sitting.sees("local/test");
  const text = "0123456789abcde\n".repeat(655_360);
  const beganMs = performance.now();

  sitting.type(`Read ${keys.pasted(text)}and say`);
  const screen = await sitting.sees("and say");
  const tookMs = performance.now() - beganMs;

  const [path = ""] = /\/\S+\/pasted\.txt/.exec(screen.replaceAll("\n", "")) ?? [];
  expect(await Bun.file(path).text()).toBe(text);
  expect((await Bun.file(path).stat()).mode & 0o777).toBe(0o600);
  expect(tookMs).toBeLessThan(20_000);
}, 60_000);

test("a paste: invalid UTF-8 is replaced with a mark", async () => {
  await using world = await newTerminalWorld();
  const sitting = world.sit();
  await sitting.sees("local/test");

  sitting.type(
    Buffer.concat([Buffer.from("\u001B[200~a"), Buffer.of(0xff, 0xc3, 0x28), Buffer.from("b\u001B[201~")]),
  );
  await sitting.sees("a\uFFFD\uFFFD(b");
  sitting.type(keys.enter);
  await sitting.sees("Reply 1");

  expect(userMessagesSent(world)).toEqual(["a\uFFFD\uFFFD(b"]);
});

test("a message: one too large for the host returns to the editor with its attachments", async () => {
  await using world = await newTerminalWorld();
  const sitting = world.sit();
  await sitting.sees("local/test");
  const text = "0123456789abcde\n".repeat(286_720);

  sitting.type(keys.pasted(text));
  await sitting.sees("[text 1: 286,721 lines, 4.4 MB]");
  sitting.type(keys.pasted(text));
  await sitting.sees("[text 2: 286,721 lines, 4.4 MB]");
  sitting.type(keys.enter);
  await sitting.sees("The body is larger than");
  await sitting.sees(/^\[text 1: 286,721 lines, 4\.4 MB\] \[text 2: 286,721 lines, 4\.4 MB\]/m);
  sitting.type(keys.backspace);
  await sitting.sees((screen) => !screen.includes("[text 2"));
  sitting.type(keys.enter);
  await sitting.sees("Reply 1");

  expect(userMessagesSent(world)).toEqual([text]);
});
