import { isUnseenCharacter } from "../text/hidden-characters.ts";

/** A program with its arguments, as `sh` would run it. */
export interface SimpleCommand {
  /** Unquoted. */
  readonly words: readonly [string, ...string[]];
  /** As written. */
  readonly text: string;
  /** Operator before the command; empty for the first. */
  readonly after: "" | "&&" | "||" | ";" | "|";
}

type ShellCommands =
  | { readonly kind: "commands"; readonly commands: readonly [SimpleCommand, ...SimpleCommand[]] }
  /** Reads as a continuation of "the command". */
  | { readonly kind: "unknown"; readonly why: string };

/** Characters that no `sh` treats specially outside quotes. */
const plain = /^[\p{L}\p{N}_./:@%+,=-]$/u;
/** Special only at the start of a word. */
const plainInside = /^[~^]$/;

const syntaxWords: ReadonlySet<string> = new Set(
  "if then else elif fi do done case esac while until for in select function time coproc".split(" "),
);

/**
 * Parses a command line completely: plain words, quotes without substitution, and `&&`, `||`, `;` and `|`. Any
 * other shell syntax makes it `unknown`.
 */
export function shellCommands(line: string): ShellCommands {
  const commands: SimpleCommand[] = [];
  let after: SimpleCommand["after"] = "";
  let words: string[] = [];
  let word: string | undefined;
  let isQuoted = false;
  let start = -1;
  let end = 0;
  let at = 0;
  const unknown = (why: string): ShellCommands => ({ kind: "unknown", why });
  const endWord = (): string | undefined => {
    if (word === undefined) return undefined;
    const isFirst = words.length === 0;
    if (isFirst && isQuoted) return "has a program's name in quotes";
    if (isFirst && word.includes("=")) return "sets a variable";
    if (isFirst && syntaxWords.has(word)) return `has "${word}", a word of the shell itself`;
    words.push(word);
    word = undefined;
    isQuoted = false;
    return undefined;
  };
  const endCommand = (next: SimpleCommand["after"]): string | undefined => {
    const problem = endWord();
    if (problem !== undefined) return problem;
    const [first, ...rest] = words;
    if (first === undefined) return "has nothing where a program should be";
    commands.push({ words: [first, ...rest], text: line.slice(start, end), after });
    after = next;
    words = [];
    start = -1;
    return undefined;
  };
  const characters = Array.from(line);
  let offset = 0;
  for (; at < characters.length; at += 1) {
    const character = characters[at] ?? "";
    const here = offset;
    offset += character.length;
    if (character === " " || character === "\t") {
      const problem = endWord();
      if (problem !== undefined) return unknown(problem);
      continue;
    }
    const operator = operatorAt(characters, at);
    if (operator !== undefined) {
      const problem = endCommand(operator);
      if (problem !== undefined) return unknown(problem);
      at += operator.length - 1;
      offset += operator.length - 1;
      continue;
    }
    if (start === -1) start = here;
    if (character === "'" || character === '"') {
      const close = characters.indexOf(character, at + 1);
      if (close === -1) return unknown("has a quote without its end");
      const quoted = characters.slice(at + 1, close).join("");
      if (Array.from(quoted.replaceAll(/[\n\t]/g, "")).some(isUnseenCharacter))
        return unknown("has a character that is not seen");
      if (character === '"' && /[$`\\]/.test(quoted)) return unknown("has quotes in which something is replaced");
      word = (word ?? "") + quoted;
      isQuoted = true;
      offset += quoted.length + 1;
      at = close;
    } else if (
      (plain.test(character) && !isUnseenCharacter(character)) ||
      (plainInside.test(character) && isInside(word))
    ) {
      if (word === undefined && character === "=") return unknown('has a word that begins with "="');
      word = (word ?? "") + character;
    } else return unknown(whatIs(character));
    end = offset;
  }
  const problem = endCommand("");
  if (problem !== undefined) return unknown(problem);
  const [first, ...rest] = commands;
  return first === undefined ? unknown("is empty") : { kind: "commands", commands: [first, ...rest] };
}

/** `=` and `:` can start a new word for tilde expansion. */
function isInside(word: string | undefined): boolean {
  const before = word?.at(-1);
  return before !== undefined && before !== "=" && before !== ":";
}

function operatorAt(characters: readonly string[], at: number): Exclude<SimpleCommand["after"], ""> | undefined {
  const [one, two, three] = [characters[at], characters[at + 1], characters[at + 2]];
  if (one === "&" && two === "&" && three !== "&") return "&&";
  if (one === "|" && two === "|" && three !== "|") return "||";
  if (one === "|" && two !== "&" && two !== "|") return "|";
  if (one === ";" && two !== ";" && two !== "&") return ";";
  return undefined;
}

function whatIs(character: string): string {
  if (character === "\n" || character === "\r") return "has several lines";
  if (character === "$" || character === "`") return `has "${character}", for which something else is put in`;
  if (character === "<" || character === ">") return `has "${character}", which reads or writes a file`;
  if (character === "&" || character === "|" || character === ";")
    return `has "${character}" where it is not understood`;
  if (isUnseenCharacter(character)) return "has a character that is not seen";
  return `has "${character}" outside of quotes`;
}
