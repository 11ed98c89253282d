import { expect, test } from "bun:test";
import { knownShapes } from "./known-shapes.ts";
import { Redactor } from "./redactor.ts";

const redactor = await Redactor.create({ secrets: [], patterns: [] });

const hex64 = "0123456789abcdef".repeat(4);
const mixed = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF3hJ5".repeat(4);
const header = "eyJhbGciOiJIUzI1NiJ9";

/** Prefixes and rows must match one to one. */
const rows: readonly (readonly [beginning: string, rest: string, kind: string])[] = [
  ["sk-", "proj-abc123DEF456ghi789", "api-key"],
  ["sk-ant-", "api03-Ab1_Cd2-Ef3Gh4Ij5", "api-key"],
  ["gsk_", mixed.slice(0, 52), "api-key"],
  ["xai-", mixed.slice(0, 80), "api-key"],
  ["pplx-", mixed.slice(0, 48), "api-key"],
  ["csk-", mixed.slice(0, 48), "api-key"],
  ["nvapi-", mixed.slice(0, 64), "api-key"],
  ["r8_", mixed.slice(0, 37), "api-key"],
  ["tvly-", `dev-${mixed.slice(0, 32)}`, "api-key"],
  ["lsv2_pt_", `${hex64.slice(0, 32)}_0123456789`, "api-key"],
  ["lsv2_sk_", `${hex64.slice(0, 32)}_0123456789`, "api-key"],
  ["AIza", `Sy${mixed.slice(0, 33)}`, "google-key"],
  ["ya29.", `a0${mixed}`, "google-key"],
  ["GOCSPX-", mixed.slice(0, 28), "google-key"],
  ["ghp_", mixed.slice(0, 36), "github-token"],
  ["gho_", mixed.slice(0, 36), "github-token"],
  ["ghu_", mixed.slice(0, 36), "github-token"],
  ["ghs_", mixed.slice(0, 36), "github-token"],
  ["ghr_", mixed.slice(0, 36), "github-token"],
  ["github_pat_", `${mixed.slice(0, 22)}_${mixed.slice(0, 59)}`, "github-token"],
  ...[
    "glpat-",
    "gloas-",
    "gldt-",
    "glrt-",
    "glcbt-",
    "glptt-",
    "glft-",
    "glimt-",
    "glagent-",
    "glsoat-",
    "glffct-",
  ].map((beginning) => [beginning, mixed.slice(0, 20), "gitlab-token"] as const),
  ["AKIA", "IOSFODNN7EXAMPLE".replace("7", "6"), "aws-key"],
  ["ASIA", "IOSFODNN6EXAMPLE", "aws-key"],
  ["ABIA", "IOSFODNN6EXAMPLE", "aws-key"],
  ["ACCA", "IOSFODNN6EXAMPLE", "aws-key"],
  ["ABSK", `${mixed.slice(0, 109)}==`, "aws-key"],
  ["bedrock-api-key-", mixed.slice(0, 120), "aws-key"],
  ...["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxc-", "xoxe-", "xoxe.xoxp-", "xoxe.xoxb-", "xapp-"].map(
    (beginning) => [beginning, "123456789012-abcdef", "slack-token"] as const,
  ),
  ["xoxd-", "abc%2Fdef%2B123456", "slack-token"],
  ["hooks.slack.com/services/", "T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX", "slack-webhook"],
  ["discord.com/api/webhooks/", `123456789012345678/${mixed.slice(0, 68)}`, "discord-webhook"],
  ["discordapp.com/api/webhooks/", `123456789012345678/${mixed.slice(0, 68)}`, "discord-webhook"],
  ["sk_live_", mixed.slice(0, 24), "stripe-key"],
  ["sk_test_", mixed.slice(0, 24), "stripe-key"],
  ["rk_live_", mixed.slice(0, 24), "stripe-key"],
  ["rk_test_", mixed.slice(0, 24), "stripe-key"],
  ["whsec_", mixed.slice(0, 32), "stripe-key"],
  ["npm_", mixed.slice(0, 36), "npm-token"],
  ["pypi-AgE", mixed.slice(0, 120), "pypi-token"],
  ["dckr_pat_", mixed.slice(0, 27), "docker-token"],
  ["dckr_oat_", mixed.slice(0, 32), "docker-token"],
  ["hf_", mixed.slice(0, 34), "huggingface-token"],
  ["dop_v1_", hex64, "digitalocean-token"],
  ["doo_v1_", hex64, "digitalocean-token"],
  ["dor_v1_", hex64, "digitalocean-token"],
  ["SG.", `${mixed.slice(0, 22)}.${mixed.slice(0, 43)}`, "sendgrid-key"],
  ["hvs.", mixed.slice(0, 90), "vault-token"],
  ["hvb.", mixed.slice(0, 90), "vault-token"],
  ["hvr.", mixed.slice(0, 90), "vault-token"],
  ["dapi", hex64.slice(0, 32), "databricks-token"],
  ["glsa_", `${mixed.slice(0, 32)}_0a1b2c3d`, "grafana-token"],
  ["glc_", `${mixed.slice(0, 60)}==`, "grafana-token"],
  ["sntrys_", `${mixed.slice(0, 90)}=_${mixed.slice(0, 43)}`, "sentry-token"],
  ["sntryu_", hex64, "sentry-token"],
  ["shpat_", hex64.slice(0, 32), "shopify-token"],
  ["shpca_", hex64.slice(0, 32), "shopify-token"],
  ["shppa_", hex64.slice(0, 32), "shopify-token"],
  ["shpss_", hex64.slice(0, 32), "shopify-token"],
  ["sb_secret_", mixed.slice(0, 36), "supabase-key"],
  ["sbp_", hex64.slice(0, 40), "supabase-key"],
  ["incipit_", mixed.slice(0, 43), "incipit-token"],
  ["lin_api_", mixed.slice(0, 40), "api-token"],
  ["ntn_", mixed.slice(0, 46), "api-token"],
  ["figd_", mixed.slice(0, 40), "api-token"],
  ["PMAK-", `${hex64.slice(0, 24)}-${hex64.slice(0, 34)}`, "api-token"],
  ["AGE-SECRET-KEY-1", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L".repeat(2).slice(0, 58), "private-key"],
  ["eyJ", `${header.slice(3)}.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dBjftJeZ4CVP-mB92K27uhbUJU1p1r`, "jwt"],
];

/** Only a part is the secret. */
const partly: readonly (readonly [beginning: string, text: string, left: string])[] = [
  [":AA", `bot 123456789:AA${mixed.slice(0, 33)} end`, "bot 123456789:[redacted:telegram-token] end"],
  [
    "AccountKey=",
    `AccountName=a;AccountKey=${mixed.slice(0, 86)}==;X=1`,
    "AccountName=a;AccountKey=[redacted:azure-key];X=1",
  ],
  ["SharedAccessKey=", `SharedAccessKey=${mixed.slice(0, 43)}=`, "SharedAccessKey=[redacted:azure-key]"],
  ["Bearer ", "Bearer mF_9.B5f-4.1JqM00", "Bearer [redacted:authorization]"],
  ["bearer ", "bearer mF_9.B5f-4.1JqM00", "bearer [redacted:authorization]"],
  [
    "uthorization: Basic ",
    "Authorization: Basic QWxhZGRpbjpvcGVu",
    "Authorization: Basic [redacted:authorization]",
  ],
  [
    "uthorization: basic ",
    "authorization: basic QWxhZGRpbjpvcGVu",
    "authorization: basic [redacted:authorization]",
  ],
  ["ookie: ", "Cookie: sid=31d4d96e407a; b=1", "Cookie: [redacted:cookie]"],
  ["://", "redis://u:s3cr3t@db:6379", "redis://u:[redacted:url-password]@db:6379"],
];

for (const [beginning, rest, kind] of rows)
  test(`[closed-by-default] redact() removes tokens that begin with ${beginning}, but not inside a word`, () => {
    expect(redactor.redact(`key=${beginning}${rest}, end`)).toBe(`key=[redacted:${kind}], end`);
    expect(redactor.redact(`{"key":"\\n${beginning}${rest}"}`)).toBe(`{"key":"\\n[redacted:${kind}]"}`);
    expect(redactor.redact(`${beginning} and ${beginning}x`)).toBe(`${beginning} and ${beginning}x`);
    if (!/[./]/.test(beginning)) expect(redactor.redact(`q${beginning}${rest}`)).not.toStartWith(`q[`);
  });

for (const [beginning, text, left] of partly)
  test(`[closed-by-default] redact() removes the secret after ${beginning}`, () => {
    expect(redactor.redact(text)).toBe(left);
  });

test("[attack:secrets-dropped-beginning] each prefix of knownShapes has a row, and each row a prefix", () => {
  const tried = new Set([...rows, ...partly].map(([beginning]) => beginning));
  const known = knownShapes.flatMap(({ beginnings }) => beginnings);

  expect([...known].filter((beginning) => !tried.has(beginning))).toEqual([]);
  expect([...tried].filter((beginning) => !known.some((other) => beginning.startsWith(other)))).toEqual([]);
  expect(known.filter((beginning) => beginning.length < 3)).toEqual([]);
  // Without the prefix nothing matches, so each row tests its prefix.
  expect(redactor.redact("key=IOSFODNN6EXAMPLE and key=123456789012-abcdef")).not.toContain("[redacted");
});
