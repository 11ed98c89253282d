export function timeoutMsOf({ timeout }: { readonly timeout?: number | null | undefined }): number | undefined {
  return timeout == null ? undefined : Math.ceil(timeout * 1_000);
}
