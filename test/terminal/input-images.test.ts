import { expect, test } from "bun:test";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { userMessagesSent } from "./sent-messages.ts";
import { keys } from "./sitting.ts";
import { newTerminalWorld } from "./terminal-world.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const sent = `<data:image/png;base64,${png.toString("base64")}>`;

test("a picture: a file dropped on the terminal is attached, in any path notation", async () => {
  await using world = await newTerminalWorld();
  const path = join(world.home, "my dot's.png");
  await Bun.write(path, png);
  const sitting = await world.open({ columns: 240 });
  const written = [path.replaceAll(/[ ']/g, "\\$&"), `"${path}"`, pathToFileURL(path).href, path];

  for (const [index, text] of written.entries()) {
    await sitting.typeUntil(keys.pasted(text), `[image ${index + 1}: my dot's.png, 70 bytes]`);
  }
  await sitting.enterUntil("What is it?", "Reply 1");

  const words = written.map((_, index) => `[image ${index + 1}: my dot's.png, 70 bytes] `).join("");
  expect(userMessagesSent(world)).toEqual([`${sent.repeat(4)}${words}What is it?`]);
  expect(sitting.everything()).toContain("[file: my dot's.png, image/png, 70 bytes]");
});

test("a picture: one Backspace removes it, and the text alone is sent", async () => {
  await using world = await newTerminalWorld();
  const path = join(world.home, "dot.png");
  await Bun.write(path, png);
  const sitting = await world.open();

  await sitting.typeUntil(keys.pasted(path), "[image 1: dot.png, 70 bytes]");
  await sitting.typeUntil(`${keys.backspace}${keys.backspace}Nothing`, /^Nothing/m);
  await sitting.typeUntil(keys.enter, "Reply 1");

  expect(userMessagesSent(world)).toEqual(["Nothing"]);
});

test("a picture: Ctrl-V pastes from the clipboard, or explains why not", async () => {
  await using world = await newTerminalWorld();
  const bin = join(world.home, "bin");
  await Bun.write(join(world.home, "dot.png"), png);
  // Replaces a desktop program that may be missing.
  await Bun.write(join(bin, "wl-paste"), `#!/bin/sh\n[ "$3" = image/png ] && cat "${world.home}/dot.png"\n`);
  await chmod(join(bin, "wl-paste"), 0o755);
  const sitting = world.sit({ env: { PATH: `${bin}:${process.env["PATH"]}`, WAYLAND_DISPLAY: "wayland-0" } });
  const bare = world.sit();
  await sitting.sees("local/test");
  await bare.sees("local/test");

  await sitting.typeUntil(keys.ctrl("v"), "[image 1: clipboard.png, 70 bytes]");
  await sitting.enterUntil("What is it?", "Reply 1");
  await bare.typeUntil(keys.ctrl("v"), "The clipboard cannot be read: no desktop session");

  expect(userMessagesSent(world)).toEqual([`${sent}[image 1: clipboard.png, 70 bytes] What is it?`]);
});

test("a picture: withheld from a text-only model, and returned to the editor", async () => {
  await using world = await newTerminalWorld({
    config: '[providers.blind]\nkind = "deepseek"\nbase_url = "http://127.0.0.1:9/v1"\n',
  });
  await Bun.write(join(world.home, "dot.png"), png);
  const sitting = world.sit({ args: ["--model", "blind/deepseek-v4-pro"], env: { DEEPSEEK_API_KEY: "key" } });
  await sitting.sees("blind/deepseek-v4-pro");

  await sitting.typeUntil(keys.pasted(join(world.home, "dot.png")), "[image 1");
  const screen = await sitting.typeUntil(keys.enter, /does\s+not\s+accept/);
  await sitting.sees(/^\[image 1: dot\.png, 70 bytes\]/m);

  expect(screen.replaceAll(/\s+/g, " ")).toContain(
    'Nothing was sent: blind/deepseek-v4-pro does not accept images, such as "dot.png"',
  );
});

test("a picture: displayed below its message only with the Kitty graphics protocol", async () => {
  await using world = await newTerminalWorld();
  await Bun.write(join(world.home, "dot.png"), png);
  const kitty = world.sit({ env: { KITTY_WINDOW_ID: "1", TERM: "xterm-kitty" } });
  const plain = world.sit();

  for (const sitting of [kitty, plain]) {
    await sitting.sees("local/test");
    await sitting.typeUntil(keys.pasted(join(world.home, "dot.png")), "[image 1");
    await sitting.enterUntil("What is it?", "Reply");
  }

  const drawn = `;${png.toString("base64")}`;
  expect(kitty.bytes).toMatch(/_Ga=T[^;]*/);
  expect(kitty.bytes.indexOf(drawn)).toBeGreaterThan(kitty.bytes.indexOf("[file: dot.png"));
  expect(plain.bytes).not.toContain(drawn);
  expect(kitty.screen()).toMatch(/What is it\?\n/);
});

test("a picture: lost across runs, with a note that only text is sent", async () => {
  await using world = await newTerminalWorld();
  await Bun.write(join(world.home, "dot.png"), png);
  const sitting = await world.open();
  await sitting.typeUntil(keys.pasted(join(world.home, "dot.png")), "[image 1");
  await sitting.enterUntil("What is it?", "Reply 1");
  const next = await world.open();

  await next.typeUntil(keys.up, /^\[image 1: dot\.png, 70 bytes\] What is it\?/m);
  await next.typeUntil(keys.enter, "Reply 2");

  expect(next.everything()).toContain("The content of [image 1: dot.png, 70 bytes] is no longer available");
  expect(userMessagesSent(world)).toEqual(["[image 1: dot.png, 70 bytes] What is it?"]);
});
