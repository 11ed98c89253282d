import { FakeClock } from "@incipit/kernel";
import { Redactor } from "@incipit/redaction";
import { expect, test } from "bun:test";
import { createLog } from "./log.ts";

const redactor = await Redactor.create({
  secrets: ["planted-secret-1", 'quoted "secret" \\ 2', "ab"],
  patterns: ["ACME-[0-9]+"],
});

function record(): { readonly lines: string[]; readonly log: ReturnType<typeof createLog> } {
  const lines: string[] = [];
  const log = createLog("acme.weather", {
    write: (line) => void lines.push(line),
    minLevel: "info",
    clock: new FakeClock(),
    redactor,
  });
  return { lines, log };
}

test("[attack:terminal-log-line] log escapes control and bidi characters and keeps one line per message", () => {
  const { lines, log } = record();

  log.warn("plain");
  log.warn("a\u202Eb\u200Bc\u009B2J\n2026-01-01 error host: all keys are gone", { note: "\u2066\u3164" });

  expect(lines[0]).toEndWith("warn acme.weather: plain\n");
  expect(lines[1]).toEndWith(
    'a\\u202eb\\u200bc\\u009b2J\\n2026-01-01 error host: all keys are gone {"note":"\\u2066\\u3164"}\n',
  );
});

test("log writes one line with fields per message from its level on", () => {
  const { lines, log } = record();

  log.debug("left out");
  log.warn("Two\nlines \u001B[31mred", { size: 3, key: "conversation:1" });

  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(
    /^\S+ warn acme\.weather: Two\\nlines \\u001b\[31mred \{"size":3,"key":"conversation:1"\}\n$/,
  );
});

test("log hides known secrets, bearer tokens and fields with secret names", () => {
  const { lines, log } = record();

  log.error("Refused planted-secret-1 of cab, Authorization: Bearer abcdefghijkl", {
    apiKey: "field-1",
    x_token: "field-2",
    nested: { "x-api-key": "field-3", note: "with planted-secret-1 in it" },
  });

  expect(lines[0]).toContain("Refused [redacted:secret] of cab, Authorization: Bearer [secret]");
  expect(lines[0]).not.toMatch(/planted|abcdef|field-/);
});

test("[closed-by-default] log redacts texts shaped like secrets and matches of the operator's patterns", () => {
  const { lines, log } = record();

  log.error("Refused: key sk-proj-abc123DEF456ghi789", { body: '{"order":"ACME-42"}' });

  expect(lines[0]).toEndWith(
    ' Refused: key [redacted:api-key] {"body":"{\\"order\\":\\"[redacted:pattern]\\"}"}\n',
  );
});

test("[attack:bounds-log-line] log limits the length of a line without cutting a secret in half", () => {
  const { lines, log } = record();

  log.error("x".repeat(2_000_000));
  log.error(`${"x".repeat(16_330)} planted-secret-1`);
  log.error("x".repeat(16_000));

  expect(lines[0]?.length).toBeLessThan(16_500);
  expect(lines[0]).toEndWith(" characters more)\n");
  expect(lines[1]).not.toContain("planted");
  expect(lines[2]).toEndWith(`${"x".repeat(16_000)}\n`);
});

test("[attack:secrets-in-log] log redacts each encoding of a secret in messages and fields", () => {
  const { lines, log } = record();
  const secrets = ["planted-secret-1", 'quoted "secret" \\ 2'];

  for (const secret of secrets) {
    log.error(`as it is: ${secret}`, { nested: { value: secret }, json: JSON.stringify({ secret }) });
    log.error(`in a URL: ?k=${encodeURIComponent(secret)}&`, { basic: btoa(`me:${secret}`) });
    log.error(`thrown: ${new Error(JSON.stringify({ body: JSON.stringify({ secret }) })).message}`);
    log.error(`bytes: ${Buffer.from(secret).toString("hex")}`);
  }
  // Without the redactor's encodings, all but the first would appear.
  log.error(`it shows what is none: ${btoa("me:another-secret-1")}`);

  expect(lines).toHaveLength(9);
  for (const line of lines.slice(0, 8)) {
    expect(line).toContain("[redacted:secret]");
    expect(line).not.toMatch(/planted|quoted|706c616e|71756f74/);
    expect(line).not.toContain(btoa("me:planted-secret-1").slice(4, 16));
  }
  expect(lines[8]).toContain(btoa("me:another-secret-1"));
});
