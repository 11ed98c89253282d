import type { ChatChunkDelta, ContentPart } from "./chat-chunk.ts";
import type { ChatDialect } from "./chat-request.ts";

export interface SaidInDelta {
  readonly kind: "text" | "reasoning";
  readonly text: string;
}

/** In order: reasoning, text, then a refusal as text. */
export function deltaContent(delta: ChatChunkDelta, dialect: ChatDialect): readonly SaidInDelta[] {
  const { content, refusal } = delta;
  const refused = typeof refusal === "string" && refusal !== "" ? [{ kind: "text", text: refusal } as const] : [];
  const reasoning = dialect === "openai" ? "" : (delta.reasoning_content ?? delta.reasoning ?? "");
  const thought = reasoning === "" ? [] : [{ kind: "reasoning", text: reasoning } as const];
  if (typeof content !== "string") return [...thought, ...(content ?? []).flatMap(partSaid), ...refused];
  return content === "" ? [...thought, ...refused] : [...thought, { kind: "text", text: content }, ...refused];
}

/** Mistral's format: https://docs.mistral.ai/capabilities/reasoning */
function partSaid({ type, text, thinking }: ContentPart): readonly SaidInDelta[] {
  if (type === "text") return typeof text === "string" && text !== "" ? [{ kind: "text", text }] : [];
  if (type !== "thinking" || !Array.isArray(thinking)) return [];
  const pieces: readonly unknown[] = thinking;
  const thought = pieces.map(textOf).join("");
  return thought === "" ? [] : [{ kind: "reasoning", text: thought }];
}

function textOf(piece: unknown): string {
  if (typeof piece !== "object" || piece === null || !("type" in piece) || !("text" in piece)) return "";
  return piece.type === "text" && typeof piece.text === "string" ? piece.text : "";
}
