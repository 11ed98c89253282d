import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Restores focus and caret on close. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const putCaretBack = caretOf(before);
    dialog.current?.showModal();
    // Before the closing dialog restores the focus, nothing behind it can have it.
    before?.addEventListener("focus", putCaretBack, { once: true });
    return () => before?.removeEventListener("focus", putCaretBack);
  }, []);
  return dialog;
}

/** Chromium restores the focus but, on a slow machine, leaves the caret in the dialog, so that typed text is lost. */
function caretOf(element: Element | null): () => void {
  if (!(element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement)) return () => undefined;
  const { selectionStart, selectionEnd, selectionDirection } = element;
  return () => {
    if (selectionStart !== null)
      element.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? "none");
  };
}
