import type { StepRecord } from "@incipit/schema";
import { partsText, recordText } from "./record-text.ts";

const style = `body{font:15px/1.5 system-ui,sans-serif;max-width:70em;margin:2em auto;padding:0 1em;color:#1c1c1c}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f5f5f3;padding:.8em;border-radius:4px}
h2{margin-top:2em}summary{cursor:pointer}@media(prefers-color-scheme:dark){body{background:#1b1b1b;color:#e6e6e6}pre{background:#272727}}`;

/** A self-contained page to open from disk: no scripts, no external resources. */
export function recordPage(record: StepRecord): string {
  const { systemTexts, messages, reply, tools, request, step } = record;
  const said = (messages ?? []).map(({ role, parts }) => section(role, partsText(parts)));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(`Step ${step.id}`)}</title><style>${style}</style></head><body>
<h1>What the model was told</h1>
<pre>${escaped(recordText(record))}</pre>
<h2>System text</h2>
${(systemTexts ?? ["not known"]).map((text) => `<pre>${escaped(text)}</pre>`).join("\n") || "<p>None was sent.</p>"}
<h2>Tools</h2>
<details><summary>${tools?.length ?? 0}</summary><pre>${escaped(JSON.stringify(tools, null, 2))}</pre></details>
<h2>Messages</h2>
${said.join("\n") || "<p>Not known.</p>"}
<h2>Reply</h2>
<pre>${escaped(reply === null ? "none is kept" : partsText(reply.parts))}</pre>
<h2>Request</h2>
<details><summary>as it left</summary><pre>${escaped(request?.body ?? "not kept")}</pre></details>
</body></html>
`;
}

function section(title: string, text: string): string {
  return `<h3>${escaped(title)}</h3><pre>${escaped(text)}</pre>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
