import { expect, test } from "bun:test";
import fc from "fast-check";
import { Redactor } from "./redactor.ts";

const secrets = ["planted-Key0of.the_vendor~1", 'a "q" \\ key/with+all=of&it é?', "ключ/от сервера 漢1"];
const [plain = "", odd = ""] = secrets;
const redactor = await Redactor.create({ secrets, patterns: [] });

function percent(text: string, unit: (byte: number) => string): string {
  return [...Buffer.from(text, "utf8")].map((byte) => unit(byte)).join("");
}
const hexOf = (byte: number): string => byte.toString(16).padStart(2, "0");
const json = (text: string, levels: number): string =>
  levels === 0 ? text : json(JSON.stringify(text).slice(1, -1), levels - 1);
const unicode = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`).join(
    "",
  );

const encodings: Readonly<Record<string, (text: string) => string>> = {
  "as it is": (text) => text,
  JSON: (text) => json(text, 1),
  "JSON in JSON": (text) => json(text, 2),
  "JSON in JSON in JSON in JSON": (text) => json(text, 4),
  "JSON with \\/": (text) => json(text, 1).replaceAll("/", "\\/"),
  "JSON with \\/ in JSON": (text) => json(json(text, 1).replaceAll("/", "\\/"), 1),
  "JSON, all of it as \\u0000": unicode,
  "JSON, all of it as \\U0000 in capitals": (text) => unicode(text).replaceAll(/[a-f]/g, (it) => it.toUpperCase()),
  "that in JSON": (text) => json(unicode(text), 1),
  "JSON for HTML": (text) => json(text, 1).replaceAll(/[&=+]/g, (it) => unicode(it)),
  "JSON of ASCII": (text) => json(text, 1).replaceAll(/[^ -~]/g, (it) => unicode(it)),
  "a program's text": (text) => percent(text, (byte) => `\\x${hexOf(byte)}`),
  encodeURIComponent,
  encodeURI,
  "small hexadecimal digits": (text) => encodeURIComponent(text).replaceAll(/%../g, (it) => it.toLowerCase()),
  "RFC 3986": (text) => encodeURIComponent(text).replaceAll(/[!'()*~._-]/g, (it) => `%${hexOf(it.charCodeAt(0))}`),
  "every character of a URL": (text) => percent(text, (byte) => `%${hexOf(byte)}`),
  "every character of a URL in capitals": (text) => percent(text, (byte) => `%${hexOf(byte).toUpperCase()}`),
  "a form": (text) => new URLSearchParams({ text }).toString().slice("text=".length),
  "a URL in a URL": (text) => encodeURIComponent(encodeURIComponent(text)),
  "a URL in a URL in a URL": (text) => encodeURIComponent(encodeURIComponent(encodeURIComponent(text))),
  "four URLs": (text) => encodeURIComponent(encodeURIComponent(encodeURIComponent(encodeURIComponent(text)))),
  "a URL in JSON in JSON": (text) => json(encodeURIComponent(text), 2),
  hexadecimal: (text) => Buffer.from(text).toString("hex"),
  "hexadecimal in capitals": (text) => Buffer.from(text).toString("hex").toUpperCase(),
};

for (const [name, encode] of Object.entries(encodings))
  test(`redact() finds a secret in ${name}, and removes it completely`, () => {
    for (const secret of secrets)
      for (const [before, after] of [
        ["", ""],
        ["x=", "&y"],
        ['{"k":"', '"}'],
      ] as const)
        expect(redactor.redact(before + encode(secret) + after)).toBe(`${before}[redacted:secret]${after}`);
  });

const blobs: readonly (readonly [name: string, write: (base64: string) => string])[] = [
  ["as it is", (text) => text],
  ["without padding", (text) => text.replaceAll("=", "")],
  ["for URLs", (text) => text.replaceAll("+", "-").replaceAll("/", "_")],
  ["for URLs without padding", (text) => text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")],
  ["in a URL", encodeURIComponent],
  ["in JSON with \\/", (text) => text.replaceAll("/", "\\/")],
  ["in lines of 76, as MIME has it", (text) => text.replaceAll(/.{76}/g, "$&\r\n")],
  ["in lines of 64, in JSON in JSON", (text) => json(text.replaceAll(/.{64}/g, "$&\n"), 2)],
];

for (const [name, write] of blobs)
  test(`redact() finds a secret at any offset in Base64 ${name}`, () => {
    for (const secret of secrets)
      for (let length = 0; length < 66; length += 1)
        for (const after of ["", "!", "??", "\nmore of it"]) {
          const before = "~".repeat(length);
          const written = write(Buffer.from(before + secret + after).toString("base64"));
          const left = redactor.redact(written);
          expect({ length, left }).toEqual({ length, left: expect.stringContaining("[redacted:secret]") });
          // The removed length matches the secret's; a line end may keep part of a character.
          const gone = written.length - left.length + "[redacted:secret]".length;
          const taken = Math.floor((Buffer.byteLength(secret) * 4) / 3) - (name.startsWith("in lines") ? 6 : 0);
          expect(gone).toBeGreaterThanOrEqual(taken);
        }
  });

test("redact() removes exactly the Base64 characters that contain bits of the secret", async () => {
  // Four characters hold three bytes; after "~" and "~~", the secret's first byte shares a group.
  for (const [length, kept] of [
    [8, [0, 1, 2]],
    [9, [0, 1, 2]],
    [10, [0, 1, 2]],
  ] as const)
    for (const before of kept) {
      const secret = "x9Kp2qLm7Z".slice(0, length);
      const own = await Redactor.create({ secrets: [secret], patterns: [] });
      const written = Buffer.from(`${"~".repeat(before)}${secret}~~~~~~`)
        .toString("base64")
        .replaceAll("=", "");
      const first = Math.floor((before * 8) / 6);
      const behind = Math.ceil(((before + length) * 8) / 6);
      // At most one more character on each side, which the secret may share.
      const left = own.redact(`.${written}`);
      const [head = "", tail = ""] = left.slice(1).split("[redacted:secret]");
      expect({ before, length, left }).toEqual({
        before,
        length,
        left: expect.stringContaining("[redacted:secret]"),
      });
      expect(head).toBe(written.slice(0, first));
      expect(tail).toBe(written.slice(behind));
      expect(own.redact(written)).toBe(left.slice(1));
    }
});

test("redact() merges overlapping secrets of any length", async () => {
  const own = await Redactor.create({ secrets: ["abcdefgh1234", "1234wxyzWXYZ", "gh1234wx9"], patterns: [] });

  expect(own.redact("<abcdefgh1234wxyzWXYZ>")).toBe("<[redacted:secret]>");
  expect(own.redact("<abcdefgh1234><1234wxyzWXYZ>")).toBe("<[redacted:secret]><[redacted:secret]>");
  expect(own.redact("<abcdefgh1234wx9wxyzWXYZ>")).toBe("<[redacted:secret]wxyzWXYZ>");
});

test("[attack:secrets-basic-pair] redact() finds a key in the Base64 of user:key and of Bearer key, for any user", () => {
  const left = ["", "a", "me", "bob", "alice", "Bearer ", "x-access-token"].map((user) =>
    redactor.redact(`{"auth":"${btoa(`${user}:${plain}`)}"}`),
  );

  for (const text of left) expect(text).toContain("[redacted:secret]");
  expect(redactor.redact(btoa(`me:${plain.toUpperCase()}`))).not.toContain("[redacted");
});

test("[attack:secrets-value-parts] redact() finds keys of headers, Basic pairs and passwords", async () => {
  const parts = await Redactor.create({
    secrets: [
      "Bearer header-key-0001",
      `Basic ${btoa("carol:basic-pass-0002")}`,
      `Basic ${btoa("token-alone-0006")}`,
      "dave:pair-pass-0003",
      "postgres://eve:url%2Dpass%2D0004@db/x",
      "  spaced-key-0005\n",
    ],
    patterns: [],
  });

  for (const part of [
    "header-key-0001",
    "basic-pass-0002",
    "pair-pass-0003",
    "url-pass-0004",
    "spaced-key-0005",
    "token-alone-0006",
  ])
    expect(parts.redact(`<${part}>`)).toBe("<[redacted:secret]>");
  expect(parts.redact("<header-key-0009> <carol> <eve> <dave>")).toBe("<header-key-0009> <carol> <eve> <dave>");
});

test("[attack:secrets-url-parts] redact() finds the user of a URL without a password, and keys in its query", async () => {
  const secrets = [
    "https://ghp-user-0001@git.acme.dev/x?page=page-value-0009",
    "https://frank:@mail-host-0009.dev/?api_key=query%2Dkey%2D0002&user=user-value-0009",
    "wss://acme.dev/socket?access_token=query-token-0003",
  ];
  const parts = await Redactor.create({ secrets, patterns: [] });

  for (const part of ["ghp-user-0001", "query-key-0002", "query-token-0003"])
    expect(parts.redact(`<${part}>`)).toBe("<[redacted:secret]>");
  for (const other of ["page-value-0009", "user-value-0009", "mail-host-0009.dev"])
    expect(parts.redact(`<${other}>`)).toBe(`<${other}>`);
});

test("redact() accepts any text as a secret, also malformed URLs and headers", async () => {
  for (const secret of [
    "abc://[no URL at all 1",
    "Basic not/Base64?-key1",
    "Basic-0123456789",
    "Bearer  ",
    "x:y:z-0123456789",
    "%%%:%%%-0123456789",
  ]) {
    const own = await Redactor.create({ secrets: [secret], patterns: [] });
    expect(own.redact(`<${secret}>`)).not.toContain("0123456789");
  }
});

test("redact() finds a secret at any offset, with a line break, and after any text", () => {
  const letters = "abcdefghijklmnopqrstuvwxyz".repeat(2);
  for (let length = 0; length < 20; length += 1)
    for (const special of ["", "\n", "+", "%41", "%", "\\u0041", "\\n", "漢"])
      for (let at = 0; at <= length; at += 1) {
        const before = `${letters.slice(0, at)}${special}${letters.slice(0, length - at)} `;
        const broken = `${plain.slice(0, at + 1)}\n${plain.slice(at + 1)}`;
        expect(redactor.redact(`${before}${plain} ${letters}`)).toBe(`${before}[redacted:secret] ${letters}`);
        expect(redactor.redact(`${before}${broken} ${letters}`)).toBe(`${before}[redacted:secret] ${letters}`);
      }
});

test("redact() finds a secret after text that resembles the start of an escape", async () => {
  for (const secret of ["nopqrstuv1", "41bcdefgh1", "u0041bcdef1", "x41bcdefg1", "25aabbccdd1"]) {
    const own = await Redactor.create({ secrets: [secret], patterns: [] });
    for (const before of ["\\", "%", "\\\\", "%25"])
      expect(own.redact(`${before}${secret}.`)).toBe(`${before}[redacted:secret].`);
  }
});

test("redact() keeps incomplete and altered secrets and other text", () => {
  for (const text of [
    plain.slice(1),
    `${plain.slice(0, -1)}!`,
    plain.toUpperCase(),
    `${encodeURIComponent(odd).slice(0, -1)}!`,
    Buffer.from(plain).toString("hex").slice(2),
    btoa(plain).slice(4),
    "\\".repeat(50),
    "%25".repeat(50),
    "%".repeat(50),
    "\\u00",
    `%4g${plain.slice(1)}`,
    `\\u004g${plain.slice(1)}`,
    // "g" as digit sixteen: 6 · 16 + 16 is the code of "p".
    `%6g${plain.slice(1)}`,
    `\\u006g${plain.slice(1)}`,
    "\\x4",
    "%4",
    "",
  ])
    expect(redactor.redact(text)).toBe(text);
});

test("redact() accepts only hexadecimal digits in escapes", () => {
  // Results if neighbors of digits counted as digits: 6 · 16 and one less, nine, ten, sixteen.
  const own = Redactor.ofValues(["_", "i", "j", "p"].map((first) => `${first}9Kp2qLm7Zx-4Tv`));

  for (const character of ["/", ":", "@", "G", "`", "g"])
    for (const written of [`%6${character}`, `\\x6${character}`, `\\u006${character}`]) {
      const text = `${written}9Kp2qLm7Zx-4Tv`;
      expect(own.redact(text)).toBe(text);
    }
  for (const digit of ["a", "A"]) expect(own.redact(`%6${digit}9Kp2qLm7Zx-4Tv`)).toBe("[redacted:secret]");
});

test("[attack:secrets-across-requests] find() finds a secret split between two requests, in each form", () => {
  for (const [name, encode] of Object.entries(encodings))
    for (const secret of secrets) {
      const form = encode(secret);
      for (let cut = 1; cut < form.length; cut += 1) {
        const common = `${"long before ".repeat(2_000)}<${form.slice(0, cut)}`;
        const text = `${common}${form.slice(cut)}>`;
        const before = { found: redactor.find(`${common}"]}`), commonLength: common.length };

        const left = redactor.leaveOut(text, redactor.find(text, before)).text;

        expect({ name, cut, left: left.slice(left.indexOf("<")) }).toEqual({
          name,
          cut,
          left: "<[redacted:secret]>",
        });
      }
    }
  expect(redactor.redact(`${plain.slice(4)}>`)).toBe(`${plain.slice(4)}>`);
});

test("find() of a continued text finds encoded secrets as in the whole, for any split", () => {
  const forms = Object.values(encodings).flatMap((encode) => secrets.map((secret) => encode(secret)));
  const inBase64 = ["", "a", "ab"].map((before) => btoa(`${before}${plain} and on`));
  const piece = fc.oneof(
    fc.constantFrom(...forms, ...inBase64),
    fc.constantFrom(
      "\\",
      "\\\\",
      "%",
      "%25",
      "\n",
      "\\n",
      "+",
      "=",
      "A",
      "\\u004",
      ...secrets.map((it) => it.slice(0, 9)),
    ),
    fc.string({ maxLength: 12 }),
  );
  const whole = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(whole, fc.nat(), whole, whole, (text, at, first, second) => {
      const common = text.slice(0, at % (text.length + 1));
      const goesOn = text.slice(common.length) + second;
      const before = { found: redactor.find(common + first), commonLength: common.length };

      const found = redactor.find(common + goesOn, before);

      expect(redactor.leaveOut(common + goesOn, found)).toEqual(
        redactor.leaveOut(common + goesOn, redactor.find(common + goesOn)),
      );
    }),
    { numRuns: 400 },
  );
});

test("find() is linear for any text; quadratic time would not finish", () => {
  const units = [
    "\\",
    "%25",
    "%41",
    "\\u0041",
    "\n",
    "+",
    plain.slice(0, 8),
    "sk-",
    "eyJ",
    "1:AA",
    "://",
    "Bearer ",
    "SG.",
  ];
  for (const unit of units) {
    const { hasAny } = redactor.find(`${unit.repeat(Math.ceil(2_000_000 / unit.length))}.`);
    expect({ unit, hasAny }).toEqual({ unit, hasAny: false });
  }
  for (const unit of [`${plain} `, `${btoa(plain)} `, `${encodeURIComponent(odd)} `]) {
    const text = unit.repeat(Math.ceil(500_000 / unit.length));
    expect(redactor.redact(text).replaceAll("[redacted:secret]", "").trim()).toBe("");
  }
});

test("[attack:secrets-cut-off] redact() removes the rest of a truncated secret, in each form", () => {
  const secret = "Zq7-Lw2_Xv9.Tb4~Rk8!Pm3";
  const redactor = Redactor.ofValues([secret]);
  const forms = [secret, Buffer.from(secret).toString("hex"), Buffer.from(secret).toString("base64")];
  for (const form of forms)
    for (const mark of ["", "…", "… (400 characters more)"])
      for (let length = 8; length < form.length; length += 1) {
        const cut = `It said ${form.slice(0, length)}${mark}`;
        expect(redactor.redact(cut)).toBe(`It said [redacted:secret]${mark}`);
      }

  const other = `It said ${secret.slice(0, 16)}, and more`;
  expect(redactor.redact(other)).toBe(other);
  expect(redactor.redact(`It said ${secret.slice(0, 7)}`)).toBe(`It said ${secret.slice(0, 7)}`);
});
