import { keys, type Sitting } from "./sitting.ts";

/** Types the key of an answer into an empty editor, and enters it once the terminal says what it would answer. */
export async function giveAnswer(sitting: Sitting, key: string): Promise<void> {
  await sitting.sees("Key, then Enter");
  sitting.type(key);
  await sitting.sees("(Enter answers)");
  sitting.enter("");
}

/** Moves into the question, whatever the editor holds, and chooses there by arrows. @param row Of the answers, from 0. */
export async function choose(sitting: Sitting, row: number): Promise<void> {
  await moveInto(sitting);
  for (let moved = 0; moved <= row; moved += 1) {
    const before = sitting.screen();
    sitting.type(keys.down);
    await sitting.sees((screen) => screen !== before && /^ {2}> /m.test(screen));
  }
  sitting.enter("");
}

/**
 * Chooses in a list that confirms, which takes keys once it marks an entry. @param labels How the entries begin, from the one
 * that is marked at first to the one to take.
 */
export async function confirm(sitting: Sitting, ...labels: readonly [string, ...string[]]): Promise<void> {
  for (const [index, label] of labels.entries()) {
    if (index > 0) sitting.type(keys.down);
    await sitting.sees(`> ${label}`);
  }
  sitting.enter("");
}

/** Moves into a question once it takes keys. */
export async function moveInto(sitting: Sitting): Promise<void> {
  await sitting.sees(/Shift-Tab (?:answers|chooses)/);
  sitting.type(keys.shiftTab);
  await sitting.sees(/Esc goes back/);
}
