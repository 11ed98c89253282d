import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Opens a dialog as modal on mount, and restores focus and caret when it closes. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const putCaretBack = caretOf(before);
    dialog.current?.showModal();
    // The closing dialog restores the focus; before that, nothing behind it can have it.
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
    // `null` for checkboxes and buttons.
    if (selectionStart !== null)
      element.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? "none");
  };
}
