import { visibleWidth } from "@earendil-works/pi-tui";
import { expect, test } from "bun:test";
import { FakeTiming } from "../approval/testing/fake-timing.ts";
import type { Choice } from "../commands/command.ts";
import { createStyle } from "../style/style.ts";
import { Picker, type PickerOptions } from "./picker.ts";

const style = createStyle({ depth: 0, scheme: () => "dark", isPlain: true });
const down = "\u001B[B";

interface Picked {
  readonly picker: Picker;
  readonly ended: (string | undefined)[];
}

function picked(choices: readonly Choice[], options: Partial<PickerOptions> = {}): Picked {
  const ended: (string | undefined)[] = [];
  const picker = new Picker({
    title: "Which one?",
    choices,
    style,
    maxRows: () => 20,
    onEnd: (value) => ended.push(value),
    requestRender: () => {},
    timing: new FakeTiming(),
    typeBelow: () => {},
    ...options,
  });
  return { picker, ended };
}

function type(picker: Picker, text: string): void {
  for (const character of text) picker.handleInput(character);
}

const three = [
  { value: "a", label: "apple" },
  { value: "b", label: "banana", description: "yellow" },
  { value: "c", label: "cherry" },
];

test("Picker marks and selects the current entry, and returns the selected one on Enter", () => {
  const { picker, ended } = picked(three, { current: "b" });

  const before = picker.render(60);
  picker.handleInput(down);
  picker.handleInput("\r");

  expect(before).toEqual(
    [
      "Which one?  ",
      "  apple",
      "> banana (current)  yellow",
      "  cherry",
      "  2 of 3 · type to search, Enter selects, Esc cancels",
    ].map((row) => expect.stringMatching(new RegExp(`^${RegExp.escape(row.trimEnd())}\\s*$`))),
  );
  expect(ended).toEqual(["c"]);
});

test("Picker shows advice for an empty list, and Enter selects nothing", () => {
  const { picker, ended } = picked([], { empty: "Make one with: incipit agents new" });

  expect(picker.render(40).join("\n")).toContain("Make one with: incipit agents new");
  picker.handleInput("\r");

  expect(ended).toEqual([undefined]);
});

test("Picker shows the preview below the list, or on the right from 100 columns on", () => {
  const { picker } = picked(three, { preview: (value) => [`All about ${value}`] });

  const rows = (width: number): readonly string[] => picker.render(width).map((row) => row.trimEnd());
  const [below, beside] = [rows(99), rows(100)];

  expect(below.slice(1, 5)).toEqual(["> apple", "  banana  yellow", "  cherry", "│ All about a"]);
  expect(beside[1]).toMatch(/^> apple +│ All about a$/);
  for (const row of [...below, ...beside]) expect(visibleWidth(row)).toBeLessThanOrEqual(100);
});

test("Picker reads each preview once, one at a time, and skips entries passed over", async () => {
  const asked: string[] = [];
  let answer = Promise.withResolvers<readonly string[]>();
  const preview = (value: string): Promise<readonly string[]> => {
    asked.push(value);
    return answer.promise;
  };
  let onRender = (): void => {};
  const { picker } = picked(three, { preview, requestRender: () => onRender() });
  const rendered = (): Promise<void> => new Promise((resolve) => (onRender = resolve));

  const waiting = picker.render(60)[4];
  picker.handleInput(down);
  picker.handleInput(down);
  const first = answer;
  answer = Promise.withResolvers();
  first.resolve(["of a"]);
  await rendered();
  answer.reject(new Error("no host\u001B[2J"));
  await rendered();

  expect(waiting).toBe("│ …");
  expect(asked).toEqual(["a", "c"]);
  expect(picker.render(60)[4]).toBe("│ No preview: no host\\u001b[2J");
});

test("Picker sorts by rank in any search and starts with its query", () => {
  const { picker } = picked(
    [
      { value: "far", label: "parser", rank: 1 },
      { value: "near", label: "the old pars and the er", rank: 0 },
    ],
    { query: "parser" },
  );

  expect(picker.render(60)[1]).toStartWith("> the old pars");
});

test("Picker handles a key within 100 ms for 10,000 entries", () => {
  const many = Array.from({ length: 10_000 }, (_, index) => ({
    value: String(index),
    label: `Conversation ${index} about the parser and its tests`,
    description: "3 d ago · folder",
    rank: index % 2,
  }));
  const keys = ["t", "e", "s", "t", "9", "\u007F", "\u007F", down, down];
  const typed = (): { readonly picker: Picker; readonly tookMs: readonly number[] } => {
    const { picker } = picked(many, { preview: (value) => [value] });
    const tookMs = keys.map((key) => {
      const beganMs = performance.now();
      picker.handleInput(key);
      picker.render(120);
      return performance.now() - beganMs;
    });
    return { picker, tookMs };
  };
  const rounds = [1, 2, 3, 4, 5].map(typed);

  expect(rounds[0]?.picker.render(120).at(-1)).toContain("3 of ");
  // The minimum, since other load only adds time.
  const leastMs = keys.map((_, index) => Math.min(...rounds.map(({ tookMs }) => tookMs[index] ?? Infinity)));
  expect(Math.max(...leastMs)).toBeLessThan(100);
});

test("Picker accepts spaces and pasted text in a search, without control characters", () => {
  const { picker } = picked(three);

  type(picker, "ban");
  picker.handleInput("\u001B[200~ana\u0007\u001B[201~");

  expect(picker.render(60)[0]).toContain("Which one? banana");
  expect(picker.render(60).at(-1)).toContain("1 of 1 (3 in total)");
});

test("Picker for a question accepts no key until drawn, and passes text to the editor", () => {
  const timing = new FakeTiming();
  const below: string[] = [];
  const { picker, ended } = picked(three, { isQuestion: true, timing, typeBelow: (data) => below.push(data) });
  const press = (data: string, isAlone = true): void => {
    if (!picker.takeKey({ data, isAlone })) picker.handleInput(data);
  };
  const rows = (): string => picker.render(60).join("\n");

  press("\r"); // Not drawn yet.
  rows();
  for (let held = 0; held < 40; held += 1) {
    timing.advance(30);
    press("\r");
  }
  const whileHeld = rows();
  timing.advance(600);
  const seen = rows();
  for (const letter of "ban") press(letter);
  press("\r");
  const typed = rows();
  timing.advance(600);
  press("\r", false);
  timing.advance(600);
  press("\u001B[13;1:2u");
  const endedEarly = [...ended];
  timing.advance(600);
  press(down);
  press("\r");

  expect(whileHeld).toContain("Waiting until you stop typing");
  expect(whileHeld).not.toContain("> apple");
  expect(seen).toContain("> apple");
  expect(typed).toContain("banana");
  expect(below.join("")).toBe("ban");
  expect(endedEarly).toEqual([]);
  expect(ended).toEqual(["b"]);
});
