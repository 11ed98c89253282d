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
 * The bundler runs imports with `with { type: "macro" }`, or a path starting with `macro:`, and cannot disable that;
 * bundling must not run an extension's code. A literal that cannot be ruled out counts.
 */
export function lineOfMacroImport(text: string, loader: Bun.JavaScriptLoader): number | undefined {
  const transpiler = new Bun.Transpiler({ loader });
  const imports = scan(transpiler, text);
  if (imports === undefined) return undefined;
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
