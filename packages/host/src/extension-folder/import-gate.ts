import { KernelError } from "@incipit/kernel";
import { createRequire } from "node:module";
import { hostCopies } from "./host-copies.ts";
import { isSystemModule, systemRemedy } from "./system-imports.ts";

const requireSystem = createRequire(import.meta.url);

export class ImportGate {
  readonly #extension: string;
  readonly #isSystemGranted: boolean;

  constructor(extension: string, { isSystemGranted }: { readonly isSystemGranted: boolean }) {
    this.#extension = extension;
    this.#isSystemGranted = isSystemGranted;
  }

  require(module: string): unknown {
    return hostCopies.get(module) ?? requireSystem(this.#allowed(module));
  }

  async import(module: string): Promise<unknown> {
    return hostCopies.get(module) ?? (await import(this.#allowed(module)));
  }

  #allowed(module: string): string {
    const isSystem = isSystemModule(module);
    if (isSystem && this.#isSystemGranted) return module;
    const remedy = isSystem ? systemRemedy(module) : "import it by a literal path or name";
    const extension = this.#extension;
    const message = `Cannot import "${module}" in "${extension}": the host does not provide it; ${remedy}`;
    throw new KernelError("IMPORT_DENIED", message, { extension });
  }
}
