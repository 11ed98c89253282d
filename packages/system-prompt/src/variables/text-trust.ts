import { isAbsolute, relative, resolve, sep } from "node:path";
import type { FolderTrust, UntrustedPolicy, VariableFile } from "@incipit/service-contract";
import type { Outcome, TextOrigin } from "../types.ts";

export interface TextTrustOptions {
  readonly cwd: string;
  /** `undefined`: nobody can say, so nobody has. */
  readonly folderTrust: FolderTrust | undefined;
  readonly untrusted: UntrustedPolicy;
}

/**
 * Marks what comes from the working folder as trusted, not trusted or changed since; with the policy `blank`, what is not
 * trusted is absent. Files elsewhere are named by the operator, in a template or in `[prompt] read`: that is their word.
 * A file that a link in the folder leads to counts as one of the folder, which chose it.
 */
export class TextTrust {
  readonly #options: TextTrustOptions;

  constructor(options: TextTrustOptions) {
    this.#options = options;
  }

  /** @param name Of the variable: the path of a file as the template has it. */
  async mark(outcome: Outcome, name: string): Promise<Outcome> {
    if (outcome.kind === "absent") return outcome;
    if (outcome.files !== undefined) return this.#markFiles(outcome, outcome.files);
    if (outcome.origin === undefined) return outcome;
    const { origin, ...value } = outcome;
    if (value.value === "") return value; // Nobody says anything with it.
    if (origin.kind === "file" && !this.#isOfFolder(origin.path, name)) return value;
    const trust = await this.#judge(origin);
    if (trust === "trusted" || this.#options.untrusted !== "blank") return { ...value, trust };
    const why = trust === "changed" ? "has changed since it was trusted" : "is not trusted";
    const detail = `${JSON.stringify(origin.path)} ${why}: look at it, and run "incipit trust"`;
    return { kind: "absent", reason: "not-trusted", source: value.source, trust, detail };
  }

  get untrusted(): UntrustedPolicy {
    return this.#options.untrusted;
  }

  /** As trusted as that file of it is of which a person thinks least. */
  #markFiles(outcome: Outcome & { readonly kind: "value" }, files: readonly VariableFile[]): Outcome {
    if (outcome.value === "") return outcome;
    const said = new Map(files.map(({ path, trust }) => [trust, path]));
    const trust = (["not-trusted", "changed", "trusted"] as const).find((one) => said.has(one));
    if (trust === undefined) return outcome;
    if (trust === "trusted" || this.#options.untrusted !== "blank") return { ...outcome, trust };
    const { source, extension, leftOut } = outcome;
    const detail = `${JSON.stringify(said.get(trust))}: look at it, and run "incipit trust"`;
    const whose = {
      ...(extension === undefined ? {} : { extension }),
      ...(leftOut === undefined ? {} : { leftOut }),
    };
    return { kind: "absent", reason: "not-trusted", source, ...whose, trust, detail };
  }

  async #judge(origin: TextOrigin): ReturnType<FolderTrust["judgeFile"]> {
    const { folderTrust } = this.#options;
    if (folderTrust === undefined) return "not-trusted";
    if (origin.kind === "folder") return folderTrust.judgeFolder(origin.path);
    return folderTrust.judgeFile(origin.path, new Bun.CryptoHasher("sha256").update(origin.bytes).digest("hex"));
  }

  #isOfFolder(path: string, name: string): boolean {
    const { cwd } = this.#options;
    return isWithin(cwd, path) || isWithin(cwd, resolve(cwd, name));
  }
}

function isWithin(folder: string, path: string): boolean {
  const rest = relative(folder, path);
  return !isAbsolute(rest) && rest !== ".." && !rest.startsWith(`..${sep}`);
}
