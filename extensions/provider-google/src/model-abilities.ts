import { catalogueFacts } from "@incipit/model-catalogue";
import type { ModelFacts } from "@incipit/schema";

/** The vendor rejects any other type, and with it the conversation. */
const fileTypes: Readonly<Record<Exclude<ModelFacts["inputs"][number], "text">, readonly string[]>> = {
  /** https://ai.google.dev/gemini-api/docs/image-understanding */
  image: ["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"],
  /** https://ai.google.dev/gemini-api/docs/document-processing */
  pdf: ["application/pdf"],
  /** https://ai.google.dev/gemini-api/docs/audio */
  audio: ["audio/wav", "audio/mp3", "audio/aiff", "audio/aac", "audio/ogg", "audio/flac"],
  /** https://ai.google.dev/gemini-api/docs/video-understanding */
  video: [
    "video/mp4",
    "video/mpeg",
    "video/mov",
    "video/avi",
    "video/x-flv",
    "video/mpg",
    "video/webm",
    "video/wmv",
    "video/3gpp",
  ],
};

/** Open models only accept images: https://ai.google.dev/gemma/docs/core */
export function isGemma(model: string): boolean {
  return /(?:^|\/)gemma-/.test(model);
}

/** In the result or after it. Undocumented for Gemma. */
export function acceptsToolFile(file: { readonly model: string; readonly mediaType: string }): boolean {
  return !isGemma(file.model) && acceptsFile(file);
}

const pictureTypes = new Set(["image/png", "image/jpeg", "image/webp"]);

/**
 * Gemini 3 and later accept images there, and reject audio.
 * https://ai.google.dev/gemini-api/docs/function-calling#multimodal
 */
export function takesInResult({
  model,
  mediaType,
}: {
  readonly model: string;
  readonly mediaType: string;
}): boolean {
  return isFromGemini3(model) && pictureTypes.has(mediaType);
}

function isFromGemini3(model: string): boolean {
  const version = /(?:^|\/)gemini-(\d+)/.exec(model)?.[1];
  return version === undefined ? /(?:^|\/)gemini-.+-latest$/.test(model) : Number(version) >= 3;
}

/** A model that is not in the catalogue accepts the types of its family. */
export function acceptsFile({ model, mediaType }: { readonly model: string; readonly mediaType: string }): boolean {
  const usual = isGemma(model) ? (["image"] as const) : (["image", "pdf", "audio", "video"] as const);
  const inputs = catalogueFacts("google", model)?.inputs ?? usual;
  return inputs.some((input) => input !== "text" && fileTypes[input].includes(mediaType));
}
