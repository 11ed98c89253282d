import type { Explain } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";

/** More than a person looks at; the details have all. */
const maxNamed = 5;

/** @throws {ServiceError} `UNTRUSTED_TEXT` when a part of the prompt is text of a working folder that nobody trusts. */
export function assertTrustedText({ variables }: Pick<Explain, "variables">): void {
  const untrusted = variables.filter(({ trust }) => trust === "not-trusted" || trust === "changed");
  if (untrusted.length === 0) return;
  const named = untrusted.slice(0, maxNamed).map(({ type, name, source, trust }) => {
    const what = type === "file" ? source : `${type}:${name}`;
    return `${JSON.stringify(what)}, which ${trust === "changed" ? "has changed since it was trusted" : "is not trusted"}`;
  });
  const more = untrusted.length > maxNamed ? ` and ${untrusted.length - maxNamed} more` : "";
  const message = `The model would be told what the working folder says: ${named.join("; ")}${more}. Look at it; "incipit trust add" says that you trust it ([prompt] untrusted = "ask")`;
  const details = untrusted.map(({ type, name, source, trust }) => ({
    variable: `${type}:${name}`,
    source,
    trust,
  }));
  throw new ServiceError("UNTRUSTED_TEXT", message, { details });
}
