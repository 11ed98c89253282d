import type { Shape } from "./shape-rule.ts";

const word = /[A-Za-z0-9_-]/;
const never = /(?!)/;

function token(kind: string, beginnings: readonly string[], rest: RegExp): Shape {
  return { kind, beginnings, notBehind: word, rest };
}

/**
 * Formats that their issuers designed to be recognized. Secrets without a format (passwords, plain hexadecimal keys)
 * need the operator's patterns.
 */
export const knownShapes: readonly Shape[] = [
  // Requires a digit, because names of packages begin with "sk-learn".
  // OpenAI (sk-, sk-proj-, sk-svcacct-), Anthropic (sk-ant-), DeepSeek and OpenRouter: their consoles and API
  // references.
  token("api-key", ["sk-"], /(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{16,}/y),
  // Groq and xAI: https://console.groq.com/docs/quickstart, https://docs.x.ai/docs/overview
  token("api-key", ["gsk_", "xai-"], /[A-Za-z0-9]{20,}/y),
  // Perplexity, Cerebras, NVIDIA, Replicate, Tavily, LangSmith: their API references.
  token(
    "api-key",
    ["pplx-", "csk-", "nvapi-", "r8_", "tvly-", "lsv2_pt_", "lsv2_sk_"],
    /(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{30,}/y,
  ),
  // https://cloud.google.com/docs/authentication/api-keys
  token("google-key", ["AIza"], /[A-Za-z0-9_-]{35,}/y),
  // https://cloud.google.com/docs/authentication/token-types#access; secrets of OAuth clients: the console.
  token("google-key", ["ya29.", "GOCSPX-"], /[A-Za-z0-9_-]{24,}/y),
  // https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/
  token("github-token", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], /[A-Za-z0-9]{36,}/y),
  token("github-token", ["github_pat_"], /[A-Za-z0-9_]{22,}/y),
  // https://docs.gitlab.com/security/tokens/#token-prefixes
  token(
    "gitlab-token",
    ["glpat-", "gloas-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-", "glsoat-", "glffct-"],
    /[A-Za-z0-9_-]{20,}/y,
  ),
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids
  token("aws-key", ["AKIA", "ASIA", "ABIA", "ACCA"], /[A-Z2-7]{16}(?![A-Za-z0-9])/y),
  // https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html
  token("aws-key", ["ABSK", "bedrock-api-key-"], /[A-Za-z0-9+/]{100,}={0,2}/y),
  // https://docs.slack.dev/authentication/tokens/
  token(
    "slack-token",
    ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxc-", "xoxd-", "xoxe-", "xoxe.xoxp-", "xoxe.xoxb-", "xapp-"],
    /[A-Za-z0-9%-]{10,}/y,
  ),
  // https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
  token("slack-webhook", ["hooks.slack.com/services/"], /[A-Z0-9]{8,}\/[A-Z0-9]{8,}\/[A-Za-z0-9]{16,}/y),
  // https://docs.discord.com/developers/resources/webhook
  token(
    "discord-webhook",
    ["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
    /[0-9]{16,20}\/[A-Za-z0-9_-]{40,}/y,
  ),
  // https://core.telegram.org/bots/api#authorizing-your-bot
  {
    kind: "telegram-token",
    beginnings: [":AA"],
    notBehind: /[^0-9]/,
    rest: /[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/y,
    secret: (found) => ({ start: 1, end: found.length }),
  },
  // https://docs.stripe.com/keys, https://docs.stripe.com/webhooks/signature
  token("stripe-key", ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"], /[A-Za-z0-9]{16,}/y),
  // https://github.blog/changelog/2021-09-23-npm-has-a-new-access-token-format/
  token("npm-token", ["npm_"], /[A-Za-z0-9]{36,}/y),
  // https://pypi.org/help/#apitoken
  token("pypi-token", ["pypi-AgE"], /[A-Za-z0-9_-]{50,}/y),
  // https://docs.docker.com/security/access-tokens/
  token("docker-token", ["dckr_pat_", "dckr_oat_"], /[A-Za-z0-9_-]{20,}/y),
  // https://huggingface.co/docs/hub/security-tokens
  token("huggingface-token", ["hf_"], /[A-Za-z0-9]{30,}/y),
  // https://docs.digitalocean.com/reference/api/create-personal-access-token/
  token("digitalocean-token", ["dop_v1_", "doo_v1_", "dor_v1_"], /[a-f0-9]{64}/y),
  // https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys
  token("sendgrid-key", ["SG."], /[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}/y),
  // https://developer.hashicorp.com/vault/docs/concepts/tokens#token-prefixes
  token("vault-token", ["hvs.", "hvb.", "hvr."], /[A-Za-z0-9_-]{24,}/y),
  // https://docs.databricks.com/aws/en/dev-tools/auth/pat
  token("databricks-token", ["dapi"], /[a-f0-9]{32}(?![A-Za-z0-9])/y),
  // https://grafana.com/docs/grafana/latest/administration/service-accounts/
  token("grafana-token", ["glsa_", "glc_"], /[A-Za-z0-9_+/]{32,}={0,2}/y),
  // https://docs.sentry.io/account/auth-tokens/
  token("sentry-token", ["sntrys_", "sntryu_"], /[A-Za-z0-9_+/=-]{40,}/y),
  // https://shopify.dev/docs/apps/build/authentication-authorization
  token("shopify-token", ["shpat_", "shpca_", "shppa_", "shpss_"], /[A-Fa-f0-9]{32}/y),
  // https://supabase.com/docs/guides/api/api-keys
  token("supabase-key", ["sb_secret_", "sbp_"], /[A-Za-z0-9_]{30,}/y),
  // Tokens and tickets of this host: docs/guide/frontends.md.
  token("incipit-token", ["incipit_"], /[A-Za-z0-9_-]{43,}/y),
  // Linear, Notion, Figma, Postman: their API references.
  token("api-token", ["lin_api_", "ntn_", "figd_", "PMAK-"], /[A-Za-z0-9_-]{36,}/y),
  // https://github.com/C2SP/C2SP/blob/main/age.md
  token("private-key", ["AGE-SECRET-KEY-1"], /[0-9A-Z]{58}/y),
  // https://learn.microsoft.com/azure/storage/common/storage-configure-connection-string
  {
    kind: "azure-key",
    beginnings: ["AccountKey=", "SharedAccessKey="],
    notBehind: never,
    rest: /[A-Za-z0-9+/]{40,}={0,2}/y,
    secret: (found) => ({ start: found.indexOf("=") + 1, end: found.length }),
  },
  // https://www.rfc-editor.org/rfc/rfc7519#section-3: header and claims (JSON objects), and a signature.
  token("jwt", ["eyJ"], /[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/y),
  // https://www.rfc-editor.org/rfc/rfc6750#section-2.1
  {
    kind: "authorization",
    beginnings: ["Bearer ", "bearer "],
    notBehind: word,
    rest: /[A-Za-z0-9._~+/-]{16,}=*/y,
    secret: (found) => ({ start: "Bearer ".length, end: found.length }),
  },
  // https://www.rfc-editor.org/rfc/rfc7617#section-2
  {
    kind: "authorization",
    beginnings: ["uthorization: Basic ", "uthorization: basic "],
    notBehind: never,
    rest: /[A-Za-z0-9+/]{4,}=*/y,
    secret: (found) => ({ start: "uthorization: Basic ".length, end: found.length }),
  },
  // https://www.rfc-editor.org/rfc/rfc6265#section-4
  {
    kind: "cookie",
    beginnings: ["ookie: "],
    notBehind: never,
    rest: /[\w!#$%&*.^`|~+-]+=[^\s"'\\;,]{4,}(?:; ?[\w!#$%&*.^`|~+-]+=[^\s"'\\;,]*)*/y,
    secret: (found) => ({ start: "ookie: ".length, end: found.length }),
  },
  // https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1: the password of a connection URL.
  {
    kind: "url-password",
    beginnings: ["://"],
    notBehind: never,
    rest: /[^\s/:@"'\\<>]*:[^\s/@"'\\<>]{3,}@/y,
    secret: (found) => ({ start: found.indexOf(":", "://".length) + 1, end: found.length - 1 }),
  },
];
