import type { PromptSegment } from "@incipit/service-contract";

/** Byte for byte as models get it, without a final line break. */
const text = `## Gateway: Media Replies

To send a file (image, audio, document) back to the user, use this syntax on a separate line:
MEDIA:<relative-path>

Examples:
- MEDIA:./output.png
- MEDIA:./report.pdf

Rules:
- Path must be relative (no absolute paths, no ~ paths)
- One MEDIA directive per line
- Text before/after MEDIA lines is sent as normal message
- Supported: images, audio, video, documents`;

/** The last segment: after those of schedules. */
export const mediaSegment: PromptSegment = { id: "gateway-media", order: 1_003, text: () => text };
