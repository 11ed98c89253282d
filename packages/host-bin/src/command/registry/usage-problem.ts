import { nearestWord, suggestion } from "@incipit/common/suggestion";
import type { Command } from "./command.ts";
import { alternativesOf, missingPlace, placeAt, type Candidate } from "./match-command.ts";
import { options } from "./options.ts";

/** Describes why the words fit none of a command's usages. */
export function wordsProblem(candidates: readonly Candidate[]): string {
  const misspelled = candidates.filter(({ command, words, fitting }) => {
    const word = words[fitting] ?? "";
    const isTypedElsewhere = candidates.some(
      (other) => other.fitting > fitting && alternativesOf(placeAt(other.command, fitting) ?? "").includes(word),
    );
    const known = alternativesOf(placeAt(command, fitting) ?? "");
    return !isTypedElsewhere && nearestWord(word, known) !== undefined;
  });
  const longest = Math.max(...candidates.map(({ fitting }) => fitting));
  const longestOnes = candidates.filter(({ fitting }) => fitting === longest);
  const isIncomplete = longestOnes.some(({ words }) => words.length === longest);
  const nearest = misspelled.length > 0 && !isIncomplete ? misspelled : longestOnes;
  const [first] = nearest;
  if (first === undefined) return "There is no such command";
  const { command, words, fitting } = first;
  const title = [command.name, ...words.slice(0, fitting).filter((word) => isAction(command, word))].join(" ");
  const known = [...new Set(nearest.flatMap((one) => alternativesOf(placeAt(one.command, fitting) ?? "")))];
  const word = words[fitting];
  const usage = `write: ${[command.title, ...command.forms.map(([form]) => form)].join(" or ")}`;
  const missing = missingPlace(first);
  const newest =
    missing?.startsWith("ID") === true && command.options.includes("isContinued")
      ? " (-c in the place of ID: the last one of this folder)"
      : "";
  if (word === undefined) return `"${title}" needs ${known.join(" or ") || missing}; ${usage}${newest}`;
  if (known.length > 0 && fitting === 0) return `There is no "${title} ${word}"${suggestion(word, known)}`;
  const isText = command.places.some((place) => /TEXT|TASK|WORDS|TITLE/.test(place));
  const hint = isText ? "; put several words in quotes" : "";
  const rest = known.length > 0 ? suggestion(word, known) : `; ${usage}`;
  return `"${title}" takes no "${word}"${hint}${rest}`;
}

function isAction({ places: [place = ""] }: Command, word: string): boolean {
  return alternativesOf(place).includes(word);
}

/** Describes an option that a usage does not have, and names those that do. */
export function flagProblem(commands: readonly Command[], given: Candidate, flag: string): string {
  const { command } = given;
  const title = command.name === "ask" ? "A question" : `"incipit ${typedParts(given).join(" ")}"`;
  const own = command.options.map((name) => `--${options[name].flag}`).join(", ");
  const others = commands.filter((other) => other.options.some((name) => options[name].flag === flag));
  const where = others.map((other) => shortTitle(other));
  const near = where.filter((other) => other.startsWith(`"incipit ${command.name} `));
  const some = [...new Set([...near, ...where])].slice(0, 3).join(", ");
  return `${title} has no option "--${flag}"; it has ${own || "none of its own"}. "--${flag}" is for ${some}`;
}

/** The required parts of a usage and the optional words that were typed. */
function typedParts({ command, words }: Candidate): readonly string[] {
  const typed = command.places.map((place, index) => {
    const word = words[index];
    if (word !== undefined && alternativesOf(place).includes(word)) return word;
    return place.startsWith("[") || place === "--" ? [] : place;
  });
  return [command.name, ...typed.flat()];
}

/** Returns the required part of a usage. */
function shortTitle({ title }: Command): string {
  return `"${title.split(" [")[0]}"`;
}
