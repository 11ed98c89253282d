export { findKnownSecrets, type KnownSecret } from "./known-secrets.ts";
export { compilePattern } from "./operator-rule.ts";
export { ProgramSecrets } from "./program-secrets.ts";
export { Redactor, type Found, type RedactorOptions } from "./redactor.ts";
export { urlKeys } from "./url-keys.ts";
export { ignoredSecretReason } from "./ignored-secret-reason.ts";
