const credentialHeader = /^(.*-)?(authorization|cookie|(api)?key|token|secret|password|signature)$/i;

/** Whether a header carries, by its name, what lets somebody in: no record has its value. */
export function isCredentialHeader(name: string): boolean {
  return credentialHeader.test(name);
}
