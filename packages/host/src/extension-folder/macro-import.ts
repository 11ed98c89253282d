/** A string literal that reads `macro`, however its letters are escaped. */
const macroLiteral = new RegExp(`(["'])${Array.from("macro", letterPattern).join("")}\\1`, "g");

function letterPattern(letter: string): string {
  const code = letter.charCodeAt(0);
  const hex = code.toString(16);
  return `(?:\\\\\\r?\\n)*(?:\\\\?${letter}|\\\\x${hex}|\\\\u00${hex}|\\\\u\\{0*${hex}\\}|\\\\${code.toString(8)})`;
}

/**
 * So many characters are read again in all, for one literal after the other: each by itself, since several at once could hide one another.
 * It takes no more than a second, and nothing else goes on meanwhile.
 */
const maxLooked = 50_000_000;
/** Literals that are looked at in a file of any size. */
const minLiterals = 20;

/**
 * Line of the first import that the bundler would run instead of bundling (`with { type: "macro" }`, or a path that begins
 * with `macro:`), or of what cannot be told from one; `undefined`: there is none. Bundling must run nothing of an extension, and the bundler has no setting
 * that turns macros off.
 */
export function lineOfMacroImport(text: string, loader: Bun.JavaScriptLoader): number | undefined {
  const transpiler = new Bun.Transpiler({ loader });
  const imports = scan(transpiler, text);
  if (imports === undefined) return undefined; // The bundler refuses it too, and says where.
  if (imports.some(({ path }) => path.startsWith("macro:"))) {
    return lineAt(text, Math.max(0, text.indexOf("macro:")));
  }
  let left = Math.max(maxLooked, minLiterals * text.length);
  for (const { 0: literal, index } of text.matchAll(macroLiteral)) {
    left -= text.length;
    if (left < 0) return lineAt(text, index); // Nobody can tell any more, and nobody writes that.
    // An attribute has to be a string: where a number does not parse, the literal is one.
    const changed = `${text.slice(0, index)}0${text.slice(index + literal.length)}`;
    if (scan(transpiler, changed) === undefined) return lineAt(text, index);
  }
  return undefined;
}

function scan(transpiler: Bun.Transpiler, text: string): readonly Bun.Import[] | undefined {
  try {
    return transpiler.scanImports(text);
  } catch {
    return undefined;
  }
}

/** Line of a place in a text, counted from 1. */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
