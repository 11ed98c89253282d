import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";

interface FoldedProps {
  readonly title: string;
  readonly id?: string;
  readonly isOpenAtFirst?: boolean;
  readonly onToggle?: (isOpen: boolean) => void;
  readonly children: ComponentChildren;
}

/** The content is rendered once opened. */
export function Folded({ title, id, isOpenAtFirst = false, onToggle, children }: FoldedProps): JSX.Element {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  return (
    <details
      id={id}
      class="folded"
      open={isOpen}
      onToggle={({ currentTarget }) => {
        setIsOpen(currentTarget.open);
        onToggle?.(currentTarget.open);
      }}
    >
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  );
}
