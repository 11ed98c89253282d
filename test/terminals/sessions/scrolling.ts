import { text, type Finding, type Trial } from "../trial.ts";

/** Needs a fresh home. */
export async function tryScrolling(trial: Trial): Promise<readonly Finding[]> {
  const rows = Array.from({ length: 120 }, (_, row) => `Row ${row} of it.`);
  trial.answer = () => text(`${rows.join("\n\n")}\n\nThe end.`);
  const sitting = await trial.open();
  await trial.say(sitting, "Hello there");
  await trial.sees(sitting, "The end.");
  await trial.rest(2_500);
  const isOther = sitting.bytes.includes("\u001B[?1049h");
  const everything = sitting.everything();
  const once = rows.filter((row) => everything.split(row).length === 2).length;
  const finding: Finding = {
    row: "scrollback",
    verdict: !isOther && once === rows.length ? "yes" : once === rows.length ? "partly" : "no",
    saw: `a screen of its own: ${isOther}; of 120 rows ${once} stand in the scrollback once`,
  };
  return [finding];
}
