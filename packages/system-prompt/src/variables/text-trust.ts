import { sha256Hex, relativeWithin } from "@incipit/common";
import { resolve } from "node:path";
import type { FolderTrust, UntrustedPolicy, VariableFile } from "@incipit/service-contract";
import type { Outcome, TextOrigin } from "../types.ts";

export interface TextTrustOptions {
  readonly cwd: string;
  /** Without it, nothing is trusted. */
  readonly folderTrust: FolderTrust | undefined;
  readonly untrusted: UntrustedPolicy;
}

/**
 * With policy `blank`, untrusted text is absent. Files elsewhere are named by the operator, in a template or
 * `[prompt] read`, and are trusted. The target of a link in the folder counts as text of the folder, which chose it.
 */
export class TextTrust {
  readonly #options: TextTrustOptions;

  constructor(options: TextTrustOptions) {
    this.#options = options;
  }

  async mark(outcome: Outcome, name: string): Promise<Outcome> {
    if (outcome.kind === "absent") return outcome;
    if (outcome.files !== undefined) return this.#markFiles(outcome, outcome.files);
    if (outcome.origin === undefined) return outcome;
    const { origin, ...value } = outcome;
    if (value.value === "") return value; // An empty value contains no text.
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
    return folderTrust.judgeFile(origin.path, sha256Hex(origin.bytes));
  }

  #isOfFolder(path: string, name: string): boolean {
    const { cwd } = this.#options;
    return [path, resolve(cwd, name)].some((place) => relativeWithin(cwd, place) !== undefined);
  }
}
