import { expect, test } from "bun:test";
import { Glob } from "bun";
import { join } from "node:path";
import { recordOutput } from "../testing/recorded-output.ts";

const evil = "\u001B]52;c;cm0=\u0007\u202Ea\u200Bb";
const harmless = "\\u001b]52;c;cm0=\\u0007\\u202ea\\u200bb";

test("[attack:terminal-text-everywhere] Output removes control sequences on every stream and in every form", async () => {
  for (const isScreen of [true, false]) {
    const { output, stdout, stderr } = recordOutput({ isScreen });

    output.out(evil);
    output.outLine(evil, { style: "bold", text: evil });
    output.err(evil);
    output.errLine(evil);
    await output.announce(evil);

    const bold = isScreen ? `\u001B[1m${harmless}\u001B[22m` : harmless;
    expect(stdout()).toBe(`${harmless}${harmless}${bold}\n${harmless}\n`);
    expect(stderr()).toBe(`${harmless}${harmless}\n`);
  }
});

test("[attack:terminal-line-break] Output.outLine and errLine escape line breaks", () => {
  const { output, stdout, stderr } = recordOutput();

  output.outLine("name\nDeleted everything");
  output.errLine("name\r\nAllow it? [y/N] ");

  expect(stdout()).toBe("name\\nDeleted everything\n");
  expect(stderr()).toBe("name\\r\\nAllow it? [y/N] \n");
});

test("[attack:terminal-answer] Output.outExact sanitizes an answer on a screen and keeps bytes for a file", () => {
  const screen = recordOutput({ isScreen: true });
  const file = recordOutput();
  const pieces = ["\u001B", "[2J\uD83D", "\uDE00 \u009B", "2J\r", "\nb\rc", "\n"];

  for (const { output } of [screen, file]) for (const piece of pieces) output.outExact(piece);

  expect(screen.stdout()).toBe("\\u001b[2J😀 \\u009b2J\nb\\rc\n");
  expect(file.stdout()).toBe(pieces.join(""));
});

test("Output.out first flushes held text of an answer", () => {
  const { output, stdout } = recordOutput({ isScreen: true });

  output.outExact("a\r");
  output.outLine("b");

  expect(stdout()).toBe("a\\rb\n");
});

test("[attack:terminal-export] Output.outWhenTaken sanitizes an export on a screen and keeps bytes for a pipe", async () => {
  const screen = recordOutput({ isScreen: true });
  const file = recordOutput();
  const bytes = new TextEncoder().encode('{"text":"é\u009B2J"}\n');

  for (const { output } of [screen, file])
    for (const part of [bytes.subarray(0, 10), bytes.subarray(10)]) await output.outWhenTaken(part);

  expect(screen.stdout()).toBe('{"text":"é\\u009b2J"}\n');
  expect(file.stdout()).toBe(new TextDecoder().decode(bytes));
});

test("[attack:terminal-json] Output.outLine keeps a JSON line as one line with the same value", () => {
  const { output, stdout } = recordOutput();
  const event = { type: "text-delta", text: "\u0085\u009B2J\u202E\u2066\u2028 é 👩‍👧" };

  output.outLine(JSON.stringify(event));

  expect(stdout()).toMatch(/^[^\u0080-\u009F\u202E\u2066\u2028\n]+\n$/);
  expect(JSON.parse(stdout())).toEqual(event);
});

test("Output wraps at words only on a screen, and not in program output", () => {
  const printed = (options: Parameters<typeof recordOutput>[0], isForProgram = false): string => {
    const { output, stdout } = recordOutput({ env: { COLUMNS: "12" }, ...options });
    if (isForProgram) output.keepLines();
    output.outLine("one two three");
    output.through((text) => output.out(text)).outLine("four five six");
    return stdout();
  };
  const whole = "one two three\nfour five six\n";

  expect(printed({ isScreen: true })).toBe("one two\nthree\nfour five\nsix\n");
  expect([printed({ isScreen: false }), printed({ isScreen: true }, true)]).toEqual([whole, whole]);
});

test("Output styles each line, and none when colours are disabled", () => {
  const text = "one\ntwo\n";
  const painted = (isScreen: boolean, env: Readonly<Record<string, string>>): string => {
    const { output, stdout } = recordOutput({ isScreen, env });
    output.out({ style: "warning", text });
    return stdout();
  };

  expect(painted(true, {})).toBe("\u001B[33mone\u001B[39m\n\u001B[33mtwo\u001B[39m\n");
  expect([painted(false, {}), painted(true, { TERM: "dumb" }), painted(true, { NO_COLOR: "1" })]).toEqual([
    text,
    text,
    text,
  ]);
});

test("Output is the only code of the host that writes to the terminal", async () => {
  const root = join(import.meta.dir, "../../../..");
  const writers: string[] = [];
  for await (const path of new Glob("{host,host-bin}/src/**/*.ts").scan({ cwd: root })) {
    if (path.endsWith(".test.ts") || path.includes("/testing/")) continue;
    const source = await Bun.file(join(root, path)).text();
    if (
      /\bconsole\.\w+\(|\bBun\.(stdout|stderr)\b|\bprocess\.(stdout|stderr|stdio)\b|process\[|\/dev\/(tty|stdout|stderr)|createWriteStream|writeSync\((1|2)\b/.test(
        source,
      )
    )
      writers.push(path);
  }

  expect(writers.toSorted()).toEqual([
    "host-bin/src/command/output/standard-streams.ts",
    "host-bin/src/command/screen/run-own-command.ts", // Starts a row after the output of a user's command.
    "host-bin/src/command/terminal/terminal-input.ts", // Echoes keys, and sanitizes questions itself.
  ]);
});
