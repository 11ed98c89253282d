/** The vendor refuses any other, and with it the conversation. */
const fileTypes: ReadonlySet<string> = new Set([
  // https://ai.google.dev/gemini-api/docs/image-understanding
  "image/png",
  "image/jpeg",
  "image/webp",
  "image/heic",
  "image/heif",
  // https://ai.google.dev/gemini-api/docs/document-processing
  "application/pdf",
  // https://ai.google.dev/gemini-api/docs/audio
  "audio/wav",
  "audio/mp3",
  "audio/aiff",
  "audio/aac",
  "audio/ogg",
  "audio/flac",
  // https://ai.google.dev/gemini-api/docs/video-understanding
  "video/mp4",
  "video/mpeg",
  "video/mov",
  "video/avi",
  "video/x-flv",
  "video/mpg",
  "video/webm",
  "video/wmv",
  "video/3gpp",
]);

/** Google's open models, which take images alone: https://ai.google.dev/gemma/docs/core */
export function isGemma(model: string): boolean {
  return /(?:^|\/)gemma-/.test(model);
}

export function acceptsFile({ model, mediaType }: { readonly model: string; readonly mediaType: string }): boolean {
  return fileTypes.has(mediaType) && (!isGemma(model) || mediaType.startsWith("image/"));
}
