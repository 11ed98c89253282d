import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface EntryProps {
  readonly id: string;
  readonly summary: ComponentChildren;
  readonly children: () => ComponentChildren;
}

/** Rendered once opened, by click or by a link. */
export function Entry({ id, summary, children }: EntryProps): JSX.Element {
  const element = useRef<HTMLDetailsElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const follow = (): void => {
      if (location.hash !== `#${id}`) return;
      setIsOpen(true);
      element.current?.scrollIntoView();
    };
    follow();
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, [id]);
  return (
    <details
      id={id}
      ref={element}
      class="entry"
      open={isOpen}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>{summary}</summary>
      {isOpen && <div class="entry-content">{children()}</div>}
    </details>
  );
}
