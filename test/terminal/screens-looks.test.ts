import { Terminal, type IBufferCell } from "@xterm/headless";
import { giveAnswer } from "./answer.ts";
import { testScreens } from "./recorded-screens.ts";
import { keys } from "./sitting.ts";

const answer = "# Tides\n\nThe **bar** is *closed*; see `tides.ts`:\n\n```ts\nconst high = 3.4; // metres\n```\n";

const looks = {
  "No colours (NO_COLOR)": { env: { NO_COLOR: "1" } },
  "16 colours on a dark background": { env: { TERM: "xterm" }, background: "dark" },
  "16 colours on a light background": { env: { TERM: "xterm" }, background: "light" },
  "256 colours on a dark background": { background: "dark" },
  "256 colours on a light background": { background: "light" },
  "16 colours, as FORCE_COLOR asks": { env: { FORCE_COLOR: "1" }, background: "dark" },
} as const;

testScreens(
  "colours: none, 16 and 256, on dark and on light",
  { name: "colours", config: "tools = { workspace = true }" },
  async ({ world, columns, screens, open }) => {
    for (const [title, options] of Object.entries(looks)) {
      await world.write("tides.ts", "const high = 3.2;\n");
      world.model.enqueueCall("edit_file", { path: "tides.ts", oldText: "3.2", newText: "3.4" });
      world.model.enqueueText(answer);
      world.model.enqueue({ kind: "error", status: 400, body: '{"error":{"message":"Closed for today"}}' });
      const sitting = await open({ rows: 50, ...options });
      await sitting.enterUntil("Raise it", "yes, this call");
      const asked = await coloured(sitting.bytes, { columns, from: "edit_file needs" });
      await giveAnswer(sitting, "y");
      await sitting.sees(/const high = 3\.4; \/\/ metres[\s\S]* all$/);
      await sitting.enterUntil("Hello again", /Closed\s+for\s+today[\s\S]* all$/);
      const done = await coloured(sitting.bytes, { columns, from: "> Raise it" });
      screens.printed(title, `${asked}\n\n${done}`);
      sitting.type(keys.ctrl("d"));
      await sitting.exited;
    }
  },
);

const attributes = [
  ["bold", (cell: IBufferCell) => cell.isBold()],
  ["dim", (cell: IBufferCell) => cell.isDim()],
  ["italic", (cell: IBufferCell) => cell.isItalic()],
  ["underlined", (cell: IBufferCell) => cell.isUnderline()],
  ["inverse", (cell: IBufferCell) => cell.isInverse()],
] as const;

const names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

function colourName(index: number): string {
  return index < 8 ? (names[index] ?? "") : index < 16 ? `bright ${names[index - 8]}` : `colour ${index}`;
}

function lookOf(cell: IBufferCell): string {
  const set = attributes.filter(([, isSet]) => isSet(cell) !== 0).map(([name]) => name);
  const front = cell.isFgDefault() ? [] : [colourName(cell.getFgColor())];
  const back = cell.isBgDefault() ? [] : [`on ${colourName(cell.getBgColor())}`];
  return [...set, ...front, ...back].join(" ");
}

async function coloured(
  bytes: string,
  { columns, from }: { readonly columns: number; readonly from: string },
): Promise<string> {
  const screen = new Terminal({ cols: columns, rows: 50, allowProposedApi: true });
  await new Promise<void>((resolve) => screen.write(bytes, resolve));
  const letters = new Map<string, string>();
  const letterOf = (look: string): string => {
    const letter = letters.get(look) ?? String.fromCodePoint(65 + letters.size);
    letters.set(look, letter);
    return letter;
  };
  const rows: string[] = [];
  const buffer = screen.buffer.active;
  for (let row = 0; row < buffer.length; row += 1) {
    const line = buffer.getLine(row);
    const text = (line?.translateToString(true) ?? "").trimEnd();
    if (rows.length === 0 && !text.startsWith(from)) continue;
    if (/^─+$/.test(text)) break;
    const cells = Array.from({ length: text.length }, (_, column) => line?.getCell(column));
    const looked = cells.map((cell) => {
      const look = cell === undefined || cell.getChars().trim() === "" ? "" : lookOf(cell);
      return look === "" ? " " : letterOf(look);
    });
    const marks = looked.join("").trimEnd();
    rows.push(text, ...(marks === "" ? [] : [marks]));
  }
  screen.dispose();
  return [...rows, ...[...letters].map(([look, letter]) => `${letter} = ${look}`)].join("\n");
}
