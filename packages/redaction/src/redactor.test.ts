import { expect, test } from "bun:test";
import fc from "fast-check";
import { compilePattern } from "./operator-rule.ts";
import { Redactor } from "./redactor.ts";

const known = 'a "quoted" \\ key/with+all=of&it';
const redactor = await Redactor.create({
  secrets: [known, "short"],
  patterns: ["ACME-[0-9]{4,}", "(?m)^PIN [0-9]{3}$"],
});

const pem = "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIB/aB+c=\nZZZZ\n-----END EC PRIVATE KEY-----";

const planted = [
  ["key sk-proj-abc123DEF456ghi789 end", "key [redacted:api-key] end"],
  ["sk-ant-api03-Ab1_Cd2-Ef3Gh4Ij5", "[redacted:api-key]"],
  ["(gsk_0123456789abcdefghij)", "([redacted:api-key])"],
  [`k=AIza${"Sy0-".repeat(9)}`, "k=[redacted:google-key]"],
  [`"ghp_${"a1B2".repeat(9)}"`, '"[redacted:github-token]"'],
  [`github_pat_${"a1B2_".repeat(9)}`, "[redacted:github-token]"],
  ["glpat-abcdefghij0123456789", "[redacted:gitlab-token]"],
  ["id AKIAIOSFODNN7EXAMPLE.", "id [redacted:aws-key]."],
  ["xoxb-123456789012-abcdef", "[redacted:slack-token]"],
  ["sk_live_4eC39HqLyjWDarjtT1zdp7dc", "[redacted:stripe-key]"],
  [`npm_${"a1B2".repeat(9)}`, "[redacted:npm-token]"],
  [`hf_${"aBcD".repeat(9)}`, "[redacted:huggingface-token]"],
  ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dBjftJeZ4CVP-mB92K27uhbUJU1p1r", "[redacted:jwt]"],
  ["Authorization: Bearer mF_9.B5f-4.1JqM00", "Authorization: Bearer [redacted:authorization]"],
  ["authorization: Basic QWxhZGRpbjpvcGVu", "authorization: Basic [redacted:authorization]"],
  ["Set-Cookie: sid=31d4d96e407aad42; Path=/", "Set-Cookie: [redacted:cookie]"],
  ["postgres://me:s3cr3t@db.acme.dev/x", "postgres://me:[redacted:url-password]@db.acme.dev/x"],
  [`before ${pem} after`, "before [redacted:private-key] after"],
  [`{"text":${JSON.stringify(pem)}}`, '{"text":"[redacted:private-key]"}'],
  ["-----BEGIN PRIVATE KEY-----\nMHcCAQ", "[redacted:private-key]"],
  [
    "-----END PRIVATE KEY----- of -----BEGIN PRIVATE KEY-----\nMHcCAQ",
    "-----END PRIVATE KEY----- of [redacted:private-key]",
  ],
  [`x${known}y`, "x[redacted:secret]y"],
  [JSON.stringify({ text: known }), '{"text":"[redacted:secret]"}'],
  [JSON.stringify({ call: JSON.stringify({ known }) }), '{"call":"{\\"known\\":\\"[redacted:secret]\\"}"}'],
  [`/path?k=${encodeURIComponent(known)}&p=2`, "/path?k=[redacted:secret]&p=2"],
  ['{"text":"one a line:\\nsk-proj-abc123DEF456ghi789\\n"}', '{"text":"one a line:\\n[redacted:api-key]\\n"}'],
  ['{"call":"{\\"x\\":\\"\\\\tAKIAIOSFODNN7EXAMPLE\\"}"}', '{"call":"{\\"x\\":\\"\\\\t[redacted:aws-key]\\"}"}'],
  ['"\\u001bghp_000000000000000000000000000000000000"', '"\\u001b[redacted:github-token]"'],
  ['"> GET /\\r\\nBearer mF_9.B5f-4.1JqM00"', '"> GET /\\r\\nBearer [redacted:authorization]"'],
  ['{"text":"mine:\\nPIN 123\\n"}', '{"text":"mine:\\n[redacted:pattern]\\n"}'],
  ["order ACME-12345, and short", "order [redacted:pattern], and short"],
] as const;

for (const [text, expected] of planted)
  test(`[closed-by-default] redact() returns ${JSON.stringify(expected.slice(0, 60))}`, () => {
    expect(redactor.redact(text)).toBe(expected);
  });

test("redact() keeps text that resembles a secret", () => {
  const harmless = [
    "task-force-of-the-year-2026-again",
    "sk-learn-extension-for-tables",
    "https://acme.dev:8080/path@2",
    "AKIA is four letters; MAKIAIOSFODNN7EXAMPLE is a word",
    "headers.Cookie: string | undefined",
    "Bearer of good news",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    "eyJhbGciOiJIUzI1NiJ9 alone",
  ];
  for (const text of harmless) expect(redactor.redact(text)).toBe(text);
});

test("[closed-by-default] redact() matches an operator's pattern against decoded JSON strings", async () => {
  const patterns = ["\\bACME-[0-9]+\\b", "(?m)^PW=.*$", 'user\\s+"[a-z]+"'];
  const byPattern = await Redactor.create({ secrets: [], patterns });
  const text = 'a\nACME-1\nPW=hunter2 \\ "x"\nthe user\t"carl" stays é';

  const left = byPattern.redact(
    JSON.stringify({ messages: [{ content: text }, "ACME-22"], call: JSON.stringify({ text }) }),
  );

  const kept = "a\n[redacted:pattern]\n[redacted:pattern]\nthe [redacted:pattern] stays é";
  expect(JSON.parse(left)).toEqual({
    messages: [{ content: kept }, "[redacted:pattern]"],
    call: JSON.stringify({ text: kept }),
  });
});

test("[attack:secrets-pattern-in-arguments] redact() matches anchored patterns in values of tool arguments", async () => {
  const patterns = ["^ACME-[0-9]+$", "^pin [0-9]{3}$"];
  const byPattern = await Redactor.create({ secrets: [], patterns });
  const values = { plain: "ACME-1", quoted: 'ACME-2"', lines: "pin 123", inside: "x ACME-3", list: ["ACME-4"] };

  for (let depth = 0; depth < 4; depth += 1) {
    const wrap = (value: unknown): string => {
      let text = JSON.stringify(value);
      for (let level = 0; level < depth; level += 1) text = JSON.stringify({ arguments: text });
      return text;
    };
    const kept = {
      ...values,
      plain: "[redacted:pattern]",
      lines: "[redacted:pattern]",
      list: ["[redacted:pattern]"],
    };
    expect({ depth, left: byPattern.redact(wrap(values)) }).toEqual({ depth, left: wrap(kept) });
  }
  // Outside quotes, the pattern has nothing to be anchored to.
  expect(byPattern.redact("say ACME-1 to them")).toBe("say ACME-1 to them");
});

test("ofValues() finds only these values, and withValues() adds values", async () => {
  const text = "planted-value-4711 and sk-proj-abc123DEF456ghi789 and ACME-1";
  const byShape = await Redactor.create({ secrets: [], patterns: ["ACME-[0-9]"] });

  expect(Redactor.ofValues(["planted-value-4711"]).redact(text)).toBe(
    "[redacted:secret] and sk-proj-abc123DEF456ghi789 and ACME-1",
  );
  expect(Redactor.ofValues([]).redact(text)).toBe(text);
  expect(byShape.redact(text)).toBe("planted-value-4711 and [redacted:api-key] and [redacted:pattern]");
  expect(byShape.withValues(["planted-value-4711"]).redact(text)).toBe(
    "[redacted:secret] and [redacted:api-key] and [redacted:pattern]",
  );
});

test("leaveOut() merges overlapping secrets and counts replacements", () => {
  const text = "Authorization: Bearer sk-proj-abc123DEF456ghi789.more and ghp_000000000000000000000000000000000000";

  const { text: left, counts } = redactor.leaveOut(text, redactor.find(text));

  expect(left).toBe("Authorization: Bearer [redacted:authorization] and [redacted:github-token]");
  expect(counts).toEqual({ authorization: 1, "github-token": 1 });
});

test("leaveOut() counts adjacent secrets separately", async () => {
  const side = await Redactor.create({ secrets: ["planted-value-4711"], patterns: ["ACME-[0-9]"] });
  const text = "planted-value-4711".repeat(2) + "ACME-1".repeat(2);

  expect(side.leaveOut(text, side.find(text))).toEqual({
    text: `${"[redacted:secret]".repeat(2)}${"[redacted:pattern]".repeat(2)}`,
    counts: { secret: 2, pattern: 2 },
  });
});

test("find() returns the matches of each rule in text order", () => {
  const text = ["glft", "glpat", "glrt"].map((beginning) => `${beginning}-abcdefghij0123456789`).join(" ");

  const spans = redactor.find(text).spans.flat();

  expect(spans.map(({ start, end }) => text.slice(start, end)).join(" ")).toBe(text);
});

test("find() of a continued text equals find() of the whole, for any split", () => {
  const piece = fc.oneof(
    fc.constantFrom(...planted.map(([text]) => text)),
    fc.constantFrom("sk-", "-----BEGIN PRIVATE KEY-----", '"}]}', "ACME-1", "eyJ", "Bearer ", "9".repeat(30)),
    fc.string({ maxLength: 20 }),
    fc.constant(" x".repeat(3_000)),
  );
  const texts = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(texts, texts, texts, (common, first, second) => {
      const before = { found: redactor.find(common + first), commonLength: common.length };

      const found = redactor.find(common + second, before);

      expect(redactor.leaveOut(common + second, found)).toEqual(
        redactor.leaveOut(common + second, redactor.find(common + second)),
      );
    }),
    { numRuns: 500 },
  );
});

test("find() of a repeatedly continued text equals find() of the whole", () => {
  const whole = fc.constantFrom(
    ...planted.map(([text]) => text),
    `-----BEGIN PRIVATE KEY-----${"Ab9/".repeat(2_000)}`,
  );
  const cut = fc.oneof(fc.nat({ max: 12 }), fc.nat({ max: 9_000 }));
  const inTwo = fc.tuple(whole, cut).map(([text, at]) => [text.slice(0, at), text.slice(at)]);
  const between = fc.constantFrom([" "], ['","'], ["\n-----END PRIVATE KEY-----"], [" x".repeat(9_000)]);
  const texts = fc.array(fc.oneof(inTwo, between), { maxLength: 6 }).map((pieces) => pieces.flat());
  fc.assert(
    fc.property(texts, fc.nat({ max: 2 }), (pieces, closing) => {
      let text = "";
      let before: Parameters<typeof redactor.find>[1];
      for (const piece of pieces) {
        // Like a request, it ends in other characters than its continuation has there.
        const next = `${text.slice(0, text.length - Math.min(closing, text.length))}${piece}]}`;
        const commonLength = before === undefined ? 0 : commonLengthOf(text, next);
        const found = redactor.find(next, before === undefined ? undefined : { ...before, commonLength });

        expect(redactor.leaveOut(next, found)).toEqual(redactor.leaveOut(next, redactor.find(next)));
        text = next;
        before = { found, commonLength };
      }
    }),
    { numRuns: 300 },
  );
});

function commonLengthOf(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

test("find() matches an operator's pattern at the limit of its lookback, in decoded strings", async () => {
  const byPattern = await Redactor.create({ secrets: [], patterns: ["pin\\t[0-9]+"] });
  const secret = String.raw`pin\t4711`;

  for (const beyond of [0, 1, 2]) {
    const common = `["before ${secret}${"x".repeat(4_096 - secret.length - beyond)}`;
    const before = { found: byPattern.find(common), commonLength: common.length };
    const text = `${common} and on"]`;
    expect(byPattern.leaveOut(text, byPattern.find(text, before)).text).toBe(
      text.replace(secret, "[redacted:pattern]"),
    );
  }
});

test("compilePattern() rejects invalid patterns, and patterns that match everywhere", async () => {
  const failures = await Promise.all(
    ["(", "(?=ahead)", "a*", ""].map((pattern) => compilePattern(pattern).then(() => "", String)),
  );
  expect(failures.map((failure) => failure.startsWith("Error") || failure.includes("error"))).toEqual([
    true,
    true,
    true,
    true,
  ]);
});
