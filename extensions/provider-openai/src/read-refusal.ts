import { BodyBounds, type WireCall } from "@incipit/model-endpoint";
import { chatErrorMessage } from "@incipit/wire";

export type ReadRefusal =
  | { readonly kind: "read"; readonly body: string; readonly message: string | undefined }
  | { readonly kind: "too-large" | "broken" | "stopped" };

export async function readRefusal({ body }: Response, wire: WireCall): Promise<ReadRefusal> {
  const bounds = new BodyBounds({ isEventStream: false });
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  const reader = body?.getReader();
  try {
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
      const chunk = bounds.take(next.value);
      if (chunk === undefined) {
        wire.tooLarge();
        reader?.cancel().catch(() => undefined); // Do not wait for the rest of the body.
        return { kind: "too-large" };
      }
      pieces.push(decoder.decode(chunk, { stream: true }));
    }
  } catch (error) {
    wire.broken(error);
    const isStopped = error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError");
    return { kind: isStopped ? "stopped" : "broken" };
  }
  const text = [...pieces, decoder.decode()].join("");
  return { kind: "read", body: text, message: chatErrorMessage(text) };
}
