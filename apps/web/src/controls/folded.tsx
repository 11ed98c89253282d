import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";

interface FoldedProps {
  readonly title: string;
  /** Whoever leads somebody here opens it by setting `open` of the element. */
  readonly id?: string;
  readonly isOpenAtFirst?: boolean;
  readonly onToggle?: (isOpen: boolean) => void;
  readonly children: ComponentChildren;
}

/** Something that is drawn once somebody opens it. */
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
