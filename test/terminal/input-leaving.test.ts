import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { userMessagesSent } from "./sent-messages.ts";
import { interactiveShell, shellPrompt } from "./shell-session.ts";
import { keys, type Sitting } from "./sitting.ts";
import { newTerminalWorld } from "./terminal-world.ts";

async function settings(sitting: Sitting): Promise<string> {
  const screen = await sitting.enterUntil("clear; stty -a; echo; echo ALL OF IT", /^ALL OF IT/m);
  return screen.slice(0, screen.indexOf("ALL OF IT"));
}

const clean = ["\u001B[?25h", "\u001B[?2004l", "\u001B[<u"];

function lastOf(bytes: string): readonly (string | undefined)[] {
  const patterns = ["\u001B\\[\\?25[hl]", "\u001B\\[\\?2004[hl]", "\u001B\\[(?:>\\d+|<)u"];
  return patterns.map((pattern) => bytes.match(new RegExp(pattern, "g"))?.at(-1));
}

for (const signal of ["SIGTERM", "SIGHUP"] as const)
  test(`${signal}: restores the terminal`, async () => {
    await using world = await newTerminalWorld();
    const sitting = await interactiveShell(world);
    const before = await settings(sitting);
    const beganAt = sitting.bytes.length;

    await sitting.enterUntil("incipit", "local/test");
    const pid = (await Bun.$`pgrep -P ${sitting.pid}`.text()).trim();
    process.kill(Number(pid), signal);
    await sitting.sees(new RegExp(`^${shellPrompt}$`, "m"));
    const after = await settings(sitting);

    expect(after).toBe(before);
    expect(lastOf(sitting.bytes.slice(beganAt))).toEqual(clean);
  });

for (const host of ["inside it", "of another terminal"])
  test(`an uncaught error restores the terminal and is printed, with a host ${host}`, async () => {
    await using world = await newTerminalWorld();
    if (host !== "inside it") await world.sit().sees("local/test");
    const breaking = join(world.home, "breaking.ts");
    await Bun.write(breaking, 'process.on("SIGUSR2", () => { throw new Error("It broke"); });');
    const sitting = await interactiveShell(world);
    const before = await settings(sitting);

    await sitting.enterUntil(`BUN_OPTIONS="--preload ${breaking}" incipit`, "local/test");
    const pid = (await Bun.$`pgrep -P ${sitting.pid}`.text()).trim();
    process.kill(Number(pid), "SIGUSR2");
    await sitting.sees("It broke");
    const after = await settings(sitting);

    expect(after).toBe(before);
    expect(lastOf(sitting.bytes)).toEqual(clean);
  });

test("[trial:ctrl-z] Ctrl-Z: suspends to the shell, and fg restores the text, also during an answer", async () => {
  await using world = await newTerminalWorld();
  world.model.enqueue({ kind: "text", chunks: ["One ", "two ", "three"], gate: true });
  const sitting = await interactiveShell(world);
  const before = await settings(sitting);
  await sitting.enterUntil("incipit", "local/test");

  await sitting.typeUntil("Half a mess", "Half a mess");
  await sitting.typeUntil(keys.ctrl("z"), /Stopped/);
  const meanwhile = await settings(sitting);
  await sitting.enterUntil("fg", /^Half a mess/m);
  sitting.enter("age");
  await world.model.waitForRequests(1);
  world.model.release();
  await sitting.sees("One");
  for (let times = 0; times < 6; times += 1) {
    await sitting.typeUntil(keys.ctrl("z"), /Stopped/);
    await sitting.enterUntil("clear; fg", "local/test");
    await sitting.sees((screen) => !screen.includes("Stopped"));
  }
  world.model.releaseAll();
  await sitting.sees(/One two three/);
  await sitting.enterUntil("Another one", "Reply 2");

  expect(meanwhile).toBe(before);
  expect(userMessagesSent(world)).toEqual(["Half a message", "Another one"]);
});

for (const screen of ["main", "alternate"])
  test(`external SIGTSTP and SIGSTOP leave a clean terminal, and fg redraws, on the ${screen} screen`, async () => {
    await using world = await newTerminalWorld({ config: `terminal.screen = "${screen}"` });
    const sitting = await interactiveShell(world);
    const own = screen === "main" ? [] : ["\u001B[?1049l", "\u001B[?1006l"];
    await sitting.enterUntil("incipit", "local/test");
    const pid = Number((await Bun.$`pgrep -P ${sitting.pid}`.text()).trim());
    await sitting.typeUntil("Half a mess", "Half a mess");

    for (const { signal, columns } of [
      { signal: "SIGTSTP", columns: 80 },
      { signal: "SIGTSTP", columns: 60 },
      { signal: "SIGSTOP", columns: 100 },
    ] as const) {
      process.kill(pid, signal);
      await sitting.sees(/Stopped/);
      const stopped = sitting.bytes;
      sitting.resize(columns, 24);
      sitting.enter("clear; fg");
      // SIGSTOP leaves pending terminal responses to the shell.
      await sitting.sees(() => sitting.bytes.slice(stopped.length).includes("\u001B[>4;2m"));
      await sitting.sees((seen) => !seen.includes("Stopped") && seen.includes("local/test"));
      await sitting.sees((seen) => seen.split("\n").filter((row) => row === "─".repeat(columns)).length === 2);

      if (signal === "SIGTSTP") expect(lastOf(stopped)).toEqual(clean);
      for (const left of signal === "SIGTSTP" ? own : [])
        expect(stopped.lastIndexOf(left)).toBeGreaterThan(stopped.lastIndexOf(left.replace("l", "h")));
      expect(sitting.screen().split("Half a mess")).toHaveLength(2);
      expect(lastOf(sitting.bytes).slice(1)).toEqual(["\u001B[?2004h", expect.stringContaining(">")]);
    }
    await sitting.enterUntil("age", "Reply 1");

    expect(userMessagesSent(world)).toEqual(["Half a message"]);
  });

test("Ctrl-G: opens the message in the user's editor; a failed one leaves it unchanged", async () => {
  await using world = await newTerminalWorld();
  const bin = join(world.home, "bin");
  await mkdir(bin);
  await Bun.write(
    join(bin, "adds"),
    '#!/bin/sh\nprintf "Add: " > /dev/tty\nread -r line < /dev/tty\nprintf "%s, and %s\\n" "$(cat "$1")" "$line" > "$1"\n',
  );
  await Bun.write(join(bin, "fails"), '#!/bin/sh\necho Something else > "$1"\nexit 3\n');
  await Bun.$`chmod +x ${join(bin, "adds")} ${join(bin, "fails")}`;
  const adds = world.sit({ env: { VISUAL: join(bin, "adds") } });
  const fails = world.sit({ env: { EDITOR: join(bin, "fails") } });
  await adds.sees("local/test");
  await fails.sees("local/test");

  await adds.typeUntil("One", /^One/m);
  await adds.typeUntil(keys.ctrl("g"), /^Add:$/m);
  await adds.enterUntil("two", /^One, and two/m);
  await adds.typeUntil(keys.enter, "Reply 1");
  await fails.typeUntil("One", /^One/m);
  await fails.typeUntil(keys.ctrl("g"), /ended with the code 3; nothing was\s+changed/);
  await fails.sees(/^One/m);

  expect(userMessagesSent(world)).toEqual(["One, and two"]);
});
