import { Script } from "node:vm";
import type { ImportGate } from "./import-gate.ts";

export interface RunOptions {
  readonly sourceUrl: string;
  readonly imports: ImportGate;
  readonly timeoutMs: number;
}

const pending = Symbol.for("incipit.pendingBundle");
/** A script, because only scripts support a timeout. */
const callPending = new Script('globalThis[Symbol.for("incipit.pendingBundle")]()');

/**
 * Not a module: modules, and with them old code, stay in the runtime's registry forever.
 * @throws what the code throws; {Error} `ERR_SCRIPT_EXECUTION_TIMEOUT` on timeout.
 */
export function runBundle(text: string, { sourceUrl, imports, timeoutMs }: RunOptions): unknown {
  // The types of `new Script` restrict `import()` to modules of node:vm; the runtime accepts any namespace.
  const script: Script = Reflect.construct(Script, [
    text,
    { filename: sourceUrl, importModuleDynamically: (module: string) => imports.import(module) },
  ]);
  const start: unknown = script.runInThisContext();
  if (typeof start !== "function") throw new SyntaxError("The bundler returned no function");
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

/** @throws {SyntaxError} for code that the bundler accepts and the engine rejects. */
export function parseBundle(text: string, sourceUrl: string): void {
  void new Script(text, { filename: sourceUrl });
}
