import type { Shape } from "./shape-rule.ts";

/** What tokens consist of. */
const word = /[A-Za-z0-9_-]/;
const never = /(?!)/;

/** A vendor's token: a fixed beginning, then at least so many of these characters. */
function token(kind: string, beginnings: readonly string[], rest: RegExp): Shape {
  return { kind, beginnings, notBehind: word, rest };
}

/**
 * Shapes that their issuers have made to be found. Each says where it is published; what has no shape of its own (a password, a
 * plain hexadecimal key) is for the operator's patterns.
 */
export const knownShapes: readonly Shape[] = [
  // With a digit, as each has: "sk-learn" begins names of packages.
  // OpenAI (sk-, sk-proj-, sk-svcacct-), Anthropic (sk-ant-), DeepSeek and OpenRouter: their consoles and API references.
  token("api-key", ["sk-"], /(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{16,}/y),
  // Groq and xAI: https://console.groq.com/docs/quickstart, https://docs.x.ai/docs/overview
  token("api-key", ["gsk_", "xai-"], /[A-Za-z0-9]{20,}/y),
  // https://cloud.google.com/docs/authentication/api-keys
  token("google-key", ["AIza"], /[A-Za-z0-9_-]{35,}/y),
  // https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/
  token("github-token", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], /[A-Za-z0-9]{36,}/y),
  token("github-token", ["github_pat_"], /[A-Za-z0-9_]{22,}/y),
  // https://docs.gitlab.com/security/tokens/#token-prefixes
  token("gitlab-token", ["glpat-"], /[A-Za-z0-9_-]{20,}/y),
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids
  token("aws-key", ["AKIA", "ASIA"], /[A-Z2-7]{16}(?![A-Za-z0-9])/y),
  // https://docs.slack.dev/authentication/tokens/
  token("slack-token", ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xapp-"], /[A-Za-z0-9-]{10,}/y),
  // https://docs.stripe.com/keys
  token("stripe-key", ["sk_live_", "sk_test_", "rk_live_", "rk_test_"], /[A-Za-z0-9]{16,}/y),
  // https://github.blog/changelog/2021-09-23-npm-has-a-new-access-token-format/
  token("npm-token", ["npm_"], /[A-Za-z0-9]{36,}/y),
  // https://huggingface.co/docs/hub/security-tokens
  token("huggingface-token", ["hf_"], /[A-Za-z0-9]{30,}/y),
  // https://www.rfc-editor.org/rfc/rfc7519#section-3: a header and claims, both JSON objects, and a signature.
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
  // https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1: the password of a connection's URL.
  {
    kind: "url-password",
    beginnings: ["://"],
    notBehind: never,
    rest: /[^\s/:@"'\\<>]*:[^\s/@"'\\<>]{3,}@/y,
    secret: (found) => ({ start: found.indexOf(":", "://".length) + 1, end: found.length - 1 }),
  },
];
