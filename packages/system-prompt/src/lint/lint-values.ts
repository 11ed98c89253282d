import type { AbsentReason, Explain } from "@incipit/schema";
import type { KnownHere } from "./lint-blocks.ts";
import type { FindingText, LintFindings } from "./lint-findings.ts";
import { findSecrets } from "./secrets.ts";
import { shown } from "./shown-name.ts";
import type { TemplateTag } from "../template/template-tag.ts";
import { builtInFacts } from "../variables/built-in-variables.ts";

export interface RenderedTemplate {
  readonly systemPrompt: string;
  readonly explain: Explain;
}

type Variable = Explain["variables"][number];

const reasons: Readonly<Record<AbsentReason, string>> = {
  "not-found": "it does not exist",
  "not-a-repository": "the working directory is in no git repository",
  "not-installed": "the program is not installed",
  "not-set": "nobody has set it",
  denied: "it is outside of what [prompt] read allows",
  "too-large": "it is too large",
  "too-many": "the prompt asks for more variables of extensions than it may",
  "not-a-file": "it is not a file",
  "not-text": "it is not UTF-8 text, and its encoding is not recognized; save it as UTF-8",
  timeout: "it took too long",
  failed: "it could not be had; the log says why",
  "unknown-type": "no extension has variables of that type",
  "not-trusted": "nobody trusts it as it is",
};

export class ValueLint {
  readonly #findings: LintFindings;
  readonly #promptRefresh: "compaction" | "turn";
  readonly #rendered: RenderedTemplate | undefined;
  readonly #values = new Map<string, Variable>();
  readonly #behind = new Map<string, number>();
  readonly #told = new Set<string>();

  constructor(
    findings: LintFindings,
    {
      promptRefresh,
      rendered,
    }: { readonly promptRefresh: "compaction" | "turn"; readonly rendered: RenderedTemplate | undefined },
  ) {
    this.#findings = findings;
    this.#promptRefresh = promptRefresh;
    this.#rendered = rendered;
    for (const variable of rendered?.explain.variables ?? [])
      this.#values.set(`${variable.type}:${variable.name}`, variable);
    for (const { origin, name, start } of rendered?.explain.ranges ?? [])
      if (origin === "variable" && name !== null && !this.#behind.has(name)) this.#behind.set(name, start);
  }

  hasValue(variable: string): boolean {
    return this.#values.get(variable)?.kind === "value";
  }

  look(tag: TemplateTag, { hasValue }: KnownHere): void {
    const { variable, role } = tag;
    if (role === "insert") this.#lookAtChange(tag);
    const found = this.#values.get(variable);
    if (found === undefined) return;
    this.#tellLeftOut(tag, found);
    if (found.kind === "value") {
      this.#lookForSecrets(tag, found.value ?? "");
      if (role === "insert") this.#lookAtTrust(tag, found);
    } else if (found.reason !== null && (found.reason === "denied" || isThere(found)))
      this.#tellAbsent(tag, found.reason, found);
    else if (role === "insert" && hasValue(variable) === undefined && found.reason !== null)
      this.#tellAbsent(tag, found.reason, found);
  }

  #tellLeftOut(tag: TemplateTag, { leftOut = [] }: Variable): void {
    if (leftOut.length === 0 || !this.#isFirst("left-out", tag.variable)) return;
    for (const { path, reason, why } of leftOut)
      this.#findings.add(reason === "not-applied" ? "info" : "warning", "absent-file", tag, () => ({
        message: `[${shown(tag.variable)}] leaves out "${path}": ${why}`,
        fix: "Make it a file that can be read and is trusted, or take away what names it",
      }));
  }

  #tellAbsent(tag: TemplateTag, reason: AbsentReason, found: Variable): void {
    const { detail, extension, source } = found;
    const { variable } = tag;
    if (builtInFacts(variable)?.isOnlyInConversations === true || !this.#isFirst("absent", variable)) return;
    const isFile = variable.startsWith("file:");
    const name = shown(isFile ? variable.slice("file:".length) : variable);
    if (found.leftOut !== undefined) return;
    if (extension !== null && detail !== null) {
      const message = `[${name}] goes blank at this moment: extension "${extension}": ${detail}`;
      const grant = `Add it to the capabilities of its manifest, and grant it: incipit extensions swap ${extension}`;
      const fix = reason === "denied" ? grant : `See what it did: incipit extensions show ${extension}`;
      this.#findings.add("warning", "absent-value", tag, () => ({ message, fix }));
    } else if (reason === "denied" && !isFile) {
      this.#findings.add("warning", "absent-value", tag, () => ({
        message: `[${name}] goes blank: ${detail ?? reasons.denied}`,
        fix: "Allow that place under [prompt] read in the configuration if you trust what lies there",
      }));
    } else if (reason === "denied") {
      this.#findings.add("warning", "denied-file", tag, () => ({
        message: `"${name}" may not be read: ${detail ?? reasons.denied}`,
        fix:
          detail === null
            ? `Add "${shown(source)}" to [prompt] read in your incipit.toml (of a link: where it leads), or move what it says into the template`
            : "Give the user that the host runs as the right to read it",
      }));
    } else if (isFile) {
      this.#findings.add("warning", "absent-file", tag, () => ({
        message: `"${name}" goes blank at this moment: ${reason === "not-found" ? (detail ?? reasons[reason]) : reasons[reason]}`,
        ...(isThere(found)
          ? { fix: "Make it a text file that can be read, or leave it out of the template" }
          : absentFileFix(tag)),
      }));
    } else {
      this.#findings.add("info", "absent-value", tag, () => ({
        message: `[${name}] goes blank at this moment: ${reasons[reason]}`,
        fix: `Put the tag and what belongs to it between [if ${name}] and [endif]`,
      }));
    }
  }

  #lookForSecrets(tag: TemplateTag, value: string): void {
    if (!this.#isFirst("secret", tag.variable)) return;
    for (const { kind, start, isCertain } of findSecrets(value)) {
      const line = value.slice(0, start).split("\n").length;
      this.#findings.add(isCertain ? "error" : "warning", "secret", tag, () => ({
        message: `The value of [${shown(tag.variable)}] has what looks like a secret (${kind}), in its line ${line}: it would be sent to the model's vendor, and kept`,
        fix: "Take it out of what the value comes from, or leave the variable out",
      }));
    }
  }

  #lookAtTrust(tag: TemplateTag, { trust, source }: Variable): void {
    if (trust === null || trust === "trusted" || !this.#isFirst("trust", tag.variable)) return;
    const name = shown(tag.variable);
    const why = trust === "changed" ? "has changed since somebody trusted it" : "nobody has said that they trust";
    this.#findings.add("info", "untrusted-text", tag, () => ({
      message: `[${name}] tells the model what the working folder says (${shown(source)}), which ${why}`,
      fix: 'Look at it, and run "incipit trust add"; [prompt] untrusted decides what becomes of it until then',
    }));
  }

  #lookAtChange(tag: TemplateTag): void {
    const { variable } = tag;
    const often = builtInFacts(variable)?.changes ?? null; // Unknown for variables of extensions.
    if (often === null || !this.#isFirst("change", variable)) return;
    if (this.#promptRefresh === "compaction") {
      this.#findings.add("info", "volatile", tag, () => ({
        message: `[${variable}] changes ${often}, and is told as it was on the first turn, until compaction`,
        fix: "Leave it out, or say in the text that it is from the beginning of the conversation",
      }));
      return;
    }
    this.#findings.add("warning", "volatile", tag, () => {
      const at = this.#behind.get(variable);
      const bytes = at === undefined ? undefined : Buffer.byteLength(this.#rendered?.systemPrompt.slice(at) ?? "");
      const cost =
        bytes === undefined
          ? "everything behind it"
          : `${bytes.toLocaleString("en")} bytes of the prompt (about ${Math.ceil(bytes / 4).toLocaleString("en")} tokens)`;
      return {
        message: `[${variable}] changes ${often}: each time, ${cost} and the whole history are read anew and not from the vendor's cache (prompt_refresh = "turn")`,
        fix: 'Leave it out, move it to the end, or set prompt_refresh to "compaction"',
      };
    });
  }

  #isFirst(what: string, variable: string): boolean {
    const key = `${what} ${variable}`;
    if (this.#told.has(key)) return false;
    this.#told.add(key);
    return true;
  }
}

/** An unreadable entry exists, which a condition does not excuse. */
function isThere({ type, reason, detail }: Variable): boolean {
  return (
    type === "file" && reason !== null && reason !== "not-trusted" && (reason !== "not-found" || detail !== null)
  );
}

/** Paths are used verbatim. */
function absentFileFix({ variable, role }: TemplateTag): Omit<FindingText, "message"> {
  const path = variable.slice("file:".length);
  if (path.startsWith("~/"))
    return { fix: 'A "~" is a folder of that name here, and not your home: write the path from its "/" on' };
  const plain = path.trim();
  if (plain === path)
    return {
      fix: `Write the file, or put the tag and what belongs to it between [if ${shown(variable)}] and [endif]`,
    };
  const fix = `The space belongs to the name: did you mean "file:${shown(plain)}"?`;
  return role === "insert" ? { fix, replacement: `[file:${plain}]` } : { fix };
}
