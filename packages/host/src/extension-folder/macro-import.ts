/** With any escapes. */
const macroLiteral = new RegExp(`(["'])${Array.from("macro", letterPattern).join("")}\\1`, "g");

function letterPattern(letter: string): string {
  const code = letter.charCodeAt(0);
  const hex = code.toString(16);
  return `(?:\\\\\\r?\\n)*(?:\\\\?${letter}|\\\\x${hex}|\\\\u00${hex}|\\\\u\\{0*${hex}\\}|\\\\${code.toString(8)})`;
}

/**
 * Characters parsed again, one literal at a time, because several could hide each other. Takes at most a second, and
 * blocks the event loop.
 */
const maxLooked = 50_000_000;
const minLiterals = 20;

/**
 * Finds the first import that the bundler would run as a macro (`with { type: "macro" }`, or a path starting with
 * `macro:`), or a literal that cannot be ruled out. Bundling must not run an extension's code, and the bundler cannot
 * disable macros.
 */
export function lineOfMacroImport(text: string, loader: Bun.JavaScriptLoader): number | undefined {
  const transpiler = new Bun.Transpiler({ loader });
  const imports = scan(transpiler, text);
  if (imports === undefined) return undefined; // The bundler rejects it too, with the place.
  if (imports.some(({ path }) => path.startsWith("macro:"))) {
    return lineAt(text, Math.max(0, text.indexOf("macro:")));
  }
  let left = Math.max(maxLooked, minLiterals * text.length);
  for (const { 0: literal, index } of text.matchAll(macroLiteral)) {
    left -= text.length;
    if (left < 0) return lineAt(text, index); // Over the limit: treated as a macro, since no real code has that many.
    // Import attributes must be strings: if a number in its place does not parse, the literal is an attribute.
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

export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
