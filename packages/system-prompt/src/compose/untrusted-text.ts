import type { Explain, TextTrust } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";

const maxNamed = 5;

/** @throws {ServiceError} `UNTRUSTED_TEXT` for text of an untrusted working folder. */
export function assertTrustedText({ variables }: Pick<Explain, "variables">): void {
  const untrusted = variables.flatMap(untrustedOf);
  if (untrusted.length === 0) return;
  const named = untrusted.slice(0, maxNamed).map(({ variable, source, trust }) => {
    const what = variable.startsWith("file:") ? source : variable;
    return `${JSON.stringify(what)}, which ${trust === "changed" ? "has changed since it was trusted" : "is not trusted"}`;
  });
  const more = untrusted.length > maxNamed ? ` and ${untrusted.length - maxNamed} more` : "";
  const message = `The prompt would contain untrusted data of the working folder: ${named.join("; ")}${more}. Review it; "incipit trust add" trusts it ([prompt] untrusted = "ask")`;
  throw new ServiceError("UNTRUSTED_TEXT", message, { details: untrusted });
}

interface Untrusted {
  /** A file of an extension's variable is reported like one that the template names. */
  readonly variable: string;
  readonly source: string;
  readonly trust: TextTrust;
}

function untrustedOf({ type, name, source, trust, files }: Explain["variables"][number]): readonly Untrusted[] {
  if (trust !== "not-trusted" && trust !== "changed") return [];
  if (files === undefined) return [{ variable: `${type}:${name}`, source, trust }];
  return files.flatMap((file) =>
    file.trust === "not-trusted" || file.trust === "changed"
      ? [{ variable: `file:${file.path}`, source: file.path, trust: file.trust }]
      : [],
  );
}
