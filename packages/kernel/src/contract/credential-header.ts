const credentialHeader = /^(.*-)?(authorization|cookie|(api)?key|token|secret|password|signature)$/i;

/** Returns whether a header name denotes a credential, whose value must not be recorded. */
export function isCredentialHeader(name: string): boolean {
  return credentialHeader.test(name);
}
