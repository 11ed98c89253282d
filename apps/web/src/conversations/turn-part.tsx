import { createContext, type ComponentChildren, type JSX } from "preact";
import { useContext } from "preact/hooks";
import { Folded } from "../controls/folded.tsx";

export const UnfoldedParts = createContext(new Set<string>());

/** Labels of the parts of a turn, the same for running and stored turns. */
export const partNames = {
  toolCall: (turnId: string, toolCallId: string) => `${turnId} call ${toolCallId}`,
  changedFiles: (turnId: string) => `${turnId} files`,
  reasoning: (turnId: string, before: number) => `${turnId} reasoning ${before}`,
} as const;

interface TurnPartProps {
  readonly name: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

/** Stays unfolded when the turn ends and is drawn from stored messages. */
export function TurnPart({ name, title, children }: TurnPartProps): JSX.Element {
  const unfolded = useContext(UnfoldedParts);
  return (
    <Folded
      title={title}
      isOpenAtFirst={unfolded.has(name)}
      onToggle={(isOpen) => void (isOpen ? unfolded.add(name) : unfolded.delete(name))}
    >
      {children}
    </Folded>
  );
}
