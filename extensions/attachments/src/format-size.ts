export function formatSize(sizeBytes: number): string {
  if (sizeBytes < 1_024) return sizeBytes === 1 ? "1 byte" : `${sizeBytes} bytes`;
  if (sizeBytes < 1_048_576) return `${Math.round(sizeBytes / 1_024)} KB`;
  const megabytes = sizeBytes / 1_048_576;
  return `${megabytes < 10 ? Math.round(megabytes * 10) / 10 : Math.round(megabytes)} MB`;
}
