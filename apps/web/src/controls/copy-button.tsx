import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { words } from "../text/words.ts";
import { Button } from "./fields.tsx";

const shownMs = 1_500;

export function CopyButton({ text }: { readonly text: string }): JSX.Element | null {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), shownMs);
  };
  // Missing without TLS on other hosts than localhost.
  if (!("clipboard" in navigator)) return null;
  return (
    <Button
      text={isCopied ? words.messages.copied : words.messages.copy}
      class="plain"
      onClick={() => void copy()}
    />
  );
}
