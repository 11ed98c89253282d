import { createContext, type ComponentChildren, type JSX } from "preact";
import { useContext } from "preact/hooks";
import { Folded } from "../controls/folded.tsx";

/** The parts of turns that somebody has unfolded, in one conversation. */
export const UnfoldedParts = createContext(new Set<string>());

/** Names of parts that are the same while a turn runs and once it is stored. */
export const partNames = {
  toolCall: (turnId: string, toolCallId: string) => `${turnId} call ${toolCallId}`,
  changedFiles: (turnId: string) => `${turnId} files`,
  /** @param before How many there are before it in its turn. */
  reasoning: (turnId: string, before: number) => `${turnId} reasoning ${before}`,
} as const;

interface TurnPartProps {
  readonly name: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A part of a turn that is drawn once somebody unfolds it, and stays so when the turn ends and is drawn from what is stored. */
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
