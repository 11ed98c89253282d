import { Script } from "node:vm";
import type { ImportGate } from "./import-gate.ts";

export interface RunOptions {
  /** What stacks name its code by. */
  readonly sourceUrl: string;
  readonly imports: ImportGate;
  readonly timeoutMs: number;
}

const pending = Symbol.for("incipit.pendingBundle");
/** Only what a script calls can be stopped when it is late. */
const callPending = new Script('globalThis[Symbol.for("incipit.pendingBundle")]()');

/**
 * Runs the text of a bundle, with state of its own, and gives what it exports. A script, and no module: modules stay in
 * the runtime's registry for ever, and their old code with them.
 * @throws whatever it throws; {Error} `ERR_SCRIPT_EXECUTION_TIMEOUT` when it is late.
 */
export function runBundle(text: string, { sourceUrl, imports, timeoutMs }: RunOptions): unknown {
  // The types of `new Script` let `import()` give nothing but modules of node:vm; any namespace is taken.
  const script: Script = Reflect.construct(Script, [
    text,
    { filename: sourceUrl, importModuleDynamically: (module: string) => imports.import(module) },
  ]);
  const start: unknown = script.runInThisContext();
  if (typeof start !== "function") throw new SyntaxError("The bundler made no function");
  const module = { exports: {} };
  const require = (name: unknown): unknown => imports.require(String(name));
  const value = (): unknown => Reflect.apply(start, module.exports, [module.exports, require, module]);
  Object.defineProperty(globalThis, pending, { value, configurable: true });
  try {
    callPending.runInThisContext({ timeout: timeoutMs });
  } finally {
    Reflect.deleteProperty(globalThis, pending);
  }
  return module.exports;
}

/** Runs nothing. @throws {SyntaxError} for what the bundler takes and the engine does not. */
export function parseBundle(text: string, sourceUrl: string): void {
  void new Script(text, { filename: sourceUrl });
}
