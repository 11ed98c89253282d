import type { JSX } from "preact";
import { words } from "../text/words.ts";
import { useModal } from "./use-modal.ts";

interface ConfirmProps {
  readonly title: string;
  readonly text: string;
  readonly agree: string;
  readonly onAgree: () => void;
  readonly onClose: () => void;
}

export function Confirm({ title, text, agree, onAgree, onClose }: ConfirmProps): JSX.Element {
  const dialog = useModal();
  return (
    <dialog ref={dialog} aria-labelledby="confirm-title" aria-describedby="confirm-text" onClose={onClose}>
      <h2 id="confirm-title">{title}</h2>
      <p id="confirm-text">{text}</p>
      <form method="dialog" class="row">
        <button type="submit">{words.conversations.cancel}</button>
        <button
          type="button"
          class="danger"
          onClick={() => {
            dialog.current?.close();
            onAgree();
          }}
        >
          {agree}
        </button>
      </form>
    </dialog>
  );
}
