import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { words } from "../text/words.ts";
import { Button, type ButtonProps } from "./fields.tsx";
import { useModal } from "./use-modal.ts";

interface ConfirmProps {
  readonly title: string;
  readonly text: string;
  readonly agree: string;
  readonly onAgree: () => void;
  readonly onClose: () => void;
}

interface AskingButtonProps extends ButtonProps {
  readonly question: Omit<ConfirmProps, "onClose">;
}

/** Asks first. */
export function AskingButton({ question, ...button }: AskingButtonProps): JSX.Element {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button {...button} onClick={() => setIsAsking(true)} />
      {isAsking && <Confirm {...question} onClose={() => setIsAsking(false)} />}
    </>
  );
}

export function Confirm({ title, text, agree, onAgree, onClose }: ConfirmProps): JSX.Element {
  const dialog = useModal();
  return (
    <dialog ref={dialog} aria-labelledby="confirm-title" aria-describedby="confirm-text" onClose={onClose}>
      <h2 id="confirm-title">{title}</h2>
      <p id="confirm-text">{text}</p>
      <form method="dialog" class="row">
        <Button text={words.conversations.cancel} type="submit" />
        <Button
          text={agree}
          class="danger"
          onClick={() => {
            dialog.current?.close();
            onAgree();
          }}
        />
      </form>
    </dialog>
  );
}
