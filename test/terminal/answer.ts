import { keys, type Sitting } from "./sitting.ts";

export async function giveAnswer(sitting: Sitting, key: string): Promise<void> {
  await sitting.sees("Key, then Enter");
  await sitting.typeUntil(key, "(Enter answers)");
  sitting.enter("");
}

export async function choose(sitting: Sitting, row: number): Promise<void> {
  await moveInto(sitting);
  for (let moved = 0; moved <= row; moved += 1) {
    const before = sitting.screen();
    await sitting.typeUntil(keys.down, (screen) => screen !== before && /^ {2}> /m.test(screen));
  }
  sitting.enter("");
}

/** @param labels Prefixes of the entries, from the one initially marked to the one to choose. */
export async function confirm(sitting: Sitting, ...labels: readonly [string, ...string[]]): Promise<void> {
  for (const [index, label] of labels.entries()) {
    if (index > 0) sitting.type(keys.down);
    await sitting.sees(`> ${label}`);
  }
  sitting.enter("");
}

/** Waits until the question accepts keys. */
export async function moveInto(sitting: Sitting): Promise<void> {
  await sitting.sees(/Shift-Tab (?:answers|chooses)/);
  await sitting.typeUntil(keys.shiftTab, /Esc returns/);
}
