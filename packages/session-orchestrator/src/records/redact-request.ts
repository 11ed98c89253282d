import type { WireRequest } from "@incipit/kernel";
import type { Found, Redactor } from "@incipit/redaction";
import type { Redaction } from "@incipit/schema";
import { commonPrefix } from "../audit/common-prefix.ts";

interface WithoutSecrets {
  readonly body: {
    readonly text: string;
    readonly found: Found;
    readonly commonLength: number | undefined;
  };
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly counted: readonly Redaction[];
}

/** Scans only the part of the body not shared with the previous one. */
export function redactRequest(
  redactor: Redactor,
  wire: WireRequest,
  before: { readonly body: string; readonly found: Found } | undefined,
): WithoutSecrets {
  const known =
    before === undefined ? undefined : { ...before, commonLength: commonPrefix(before.body, wire.body) };
  const found = redactor.find(wire.body, known);
  const body = redactor.leaveOut(wire.body, found);
  const url = redactor.leaveOutOfShort(wire.url);
  const headers: Record<string, string> = {};
  const counted = [...redactions("body", body.counts), ...redactions("url", url.counts)];
  for (const [name, value] of Object.entries(wire.headers)) {
    const header = redactor.leaveOutOfShort(value);
    headers[name] = header.text;
    counted.push(...redactions(`headers.${name}`, header.counts));
  }
  return { body: { text: body.text, found, commonLength: known?.commonLength }, url: url.text, headers, counted };
}

export function redactions(place: string, counts: Readonly<Record<string, number>>): readonly Redaction[] {
  return Object.entries(counts).map(([kind, count]) => ({ place, kind, count }));
}
