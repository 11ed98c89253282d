import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/**
 * For a dialog that is open, and in front of all else, from when it is first drawn. When it closes, whoever wrote in a field has
 * the focus there again, and writes on where they were.
 */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const putCaretBack = caretOf(before);
    dialog.current?.showModal();
    // It is the dialog that gives the focus back: nothing behind it can have it before.
    before?.addEventListener("focus", putCaretBack, { once: true });
    return () => before?.removeEventListener("focus", putCaretBack);
  }, []);
  return dialog;
}

/**
 * Chromium gives a field its focus back, and on a slow machine leaves the caret in the dialog: what is typed then goes nowhere.
 */
function caretOf(element: Element | null): () => void {
  if (!(element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement)) return () => undefined;
  const { selectionStart, selectionEnd, selectionDirection } = element;
  return () => {
    // Boxes and buttons have none.
    if (selectionStart !== null)
      element.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? "none");
  };
}
