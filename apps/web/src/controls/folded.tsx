import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";

interface FoldedProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

/** Something that is drawn once somebody opens it. */
export function Folded({ title, children }: FoldedProps): JSX.Element {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details class="folded" open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  );
}
