import type { Message } from "@incipit/schema";
import type { RefObject } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { indexAt, MessageHeights, runsOf, type Run } from "./message-heights.ts";

/** So near to its end, a reader is taken to want to follow it. */
const nearPx = 80;
/** Drawn above and below what is seen: what a wheel or a finger brings next is there. */
const aheadPx = 1_000;
/** What is drawn before anybody knows how tall the place for it is. */
const drawnAtFirst = 20;
/** Older ones are asked for so many screens before their place is reached. */
const askedAhead = 2;

/** What somebody does moves the list so long, a wheel and a finger that run on among it. */
const movesOnMs = 1_000;
/** By these somebody moves the list. */
const readerEvents = ["wheel", "touchmove", "keydown", "pointerdown"];
/** What shows more of a message. */
const unfolding = "summary, .pieces button, .long-text ~ button";

interface Span {
  readonly startId: string | undefined;
  readonly endId: string | undefined;
}

interface MessageWindow {
  readonly box: RefObject<HTMLDivElement | null>;
  /** Holds the runs, and what follows them. */
  readonly list: RefObject<HTMLDivElement | null>;
  readonly runs: readonly Run[];
  readonly isAtEnd: boolean;
  readonly toEnd: () => void;
}

interface Anchor {
  readonly element: Element;
  readonly topPx: number;
}

/**
 * Draws what is near to what somebody sees of a long list. Who reads at its end follows it; for anybody else what they read
 * stays where it is, whatever is drawn, comes or changes above and below it. What has the focus, a selection or is unfolded
 * stays drawn.
 */
export function useMessageWindow(
  messages: readonly Message[],
  options: {
    /** Drawn in any case. */
    readonly kept: readonly string[];
    /** The beginning of what is there is near. */
    readonly onNearBeginning: () => void;
  },
): MessageWindow {
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const heights = useMemo(() => new MessageHeights(), []);
  const places = useMemo(() => new Map<string, number>(messages.map(({ id }, index) => [id, index])), [messages]);
  const [span, setSpan] = useState<Span>({ startId: messages.at(-drawnAtFirst)?.id, endId: messages.at(-1)?.id });
  const [isAtEnd, setIsAtEnd] = useState(true);
  const follow = useRef({ isFollowing: true, topPx: 0, endPx: 0 });
  /** When somebody last did what may move the list. */
  const readerMs = useRef(Number.NEGATIVE_INFINITY);
  /** Between a message and the next. */
  const gapPx = useRef<number | undefined>(undefined);
  const anchor = useRef<Anchor | undefined>(undefined);
  const positions = heights.positions(messages);
  const newest = { messages, options };
  const current = useRef(newest);
  current.current = newest;

  const setFollowing = (isFollowing: boolean): void => {
    follow.current.isFollowing = isFollowing;
    setIsAtEnd(isFollowing);
  };

  /** The browser itself moves the list where its end has come nearer, as of text that is zoomed, and nobody has turned back. */
  const isByBrowser = ({ scrollHeight, clientHeight }: HTMLElement): boolean =>
    scrollHeight - clientHeight !== follow.current.endPx && performance.now() - readerMs.current > movesOnMs;

  /** Whoever turns back is no follower, also where the end comes after them. */
  const noteFollowing = (element: HTMLElement): void => {
    const { scrollTop, scrollHeight, clientHeight } = element;
    const leftPx = scrollHeight - scrollTop - clientHeight;
    const movedPx = scrollTop - follow.current.topPx;
    if (leftPx < 1 || (leftPx < nearPx && movedPx > 0)) setFollowing(true);
    else if (movedPx <= -1 && !isByBrowser(element)) setFollowing(false);
    follow.current.topPx = scrollTop;
  };

  /** Draws what is near, and remembers what is read. */
  const look = useCallback((): void => {
    const [element, inner] = [box.current, list.current];
    if (element === null || inner === null) return;
    const frame = element.getBoundingClientRect();
    const topPx = frame.top - inner.getBoundingClientRect().top;
    const { messages: all, options: given } = current.current;
    const places = heights.positions(all);
    const start = all[indexAt(places, topPx - aheadPx)]?.id;
    const end = all[indexAt(places, topPx + frame.height + aheadPx)]?.id;
    setSpan((before) =>
      before.startId === start && before.endId === end ? before : { startId: start, endId: end },
    );
    anchor.current = anchorIn(inner, frame);
    if (element.scrollTop < askedAhead * element.clientHeight) given.onNearBeginning();
  }, []);

  /** What is drawn has another height: it is measured, and the reader stays where they are. */
  const settle = useCallback((): void => {
    const [element, inner] = [box.current, list.current];
    if (element === null || inner === null) return;
    for (const drawn of inner.querySelectorAll<HTMLElement>("[data-message]")) {
      gapPx.current ??= Number.parseFloat(getComputedStyle(drawn).marginBlockEnd);
      heights.note(drawn.dataset["message"] ?? "", drawn.getBoundingClientRect().height + gapPx.current);
    }
    // What has just got the focus was brought into sight, and nobody has heard of it yet.
    const isMoved = Math.abs(element.scrollTop - follow.current.topPx) >= 1;
    if (isMoved) noteFollowing(element);
    const endPx = element.scrollHeight - element.clientHeight;
    // What is drawn anew and is no taller moves nothing: somebody may be about to press something.
    if (follow.current.isFollowing) {
      if (endPx !== follow.current.endPx) element.scrollTop = endPx;
    } else if (!isMoved && anchor.current?.element.isConnected === true) {
      const nowPx = anchor.current.element.getBoundingClientRect().top - element.getBoundingClientRect().top;
      const movedPx = nowPx - anchor.current.topPx;
      if (Math.abs(movedPx) >= 1) element.scrollTop += movedPx;
    }
    follow.current.endPx = endPx;
    follow.current.topPx = element.scrollTop;
    look();
  }, []);

  useLayoutEffect(settle);
  useEffect(() => {
    const [element, inner] = [box.current, list.current];
    if (element === null || inner === null) return undefined;
    const note = (): void => {
      noteFollowing(element);
      look();
    };
    const noteReader = (event: Event): void => {
      if (mayMove(event, element)) readerMs.current = performance.now();
    };
    // Who unfolds something wants to read it.
    const unfold = ({ target }: Event): void => {
      if (target instanceof Element && target.closest(unfolding) !== null) setFollowing(false);
    };
    const sizes = new ResizeObserver(settle);
    sizes.observe(inner);
    sizes.observe(element);
    element.addEventListener("scroll", note, { passive: true });
    element.addEventListener("click", unfold, { capture: true });
    for (const name of readerEvents) addEventListener(name, noteReader, { capture: true, passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener("scroll", note);
      element.removeEventListener("click", unfold, { capture: true });
      for (const name of readerEvents) removeEventListener(name, noteReader, { capture: true });
    };
  }, []);

  const start = places.get(span.startId ?? "") ?? Math.max(0, messages.length - drawnAtFirst);
  const end = (places.get(span.endId ?? "") ?? messages.length - 1) + 1;
  const kept = new Set<number>();
  for (const id of [...options.kept, ...inUse(list.current)]) {
    const index = places.get(id);
    if (index !== undefined) kept.add(index);
  }
  return {
    box,
    list,
    runs: runsOf(positions, { start, end }, kept),
    isAtEnd,
    toEnd: () => {
      setFollowing(true);
      follow.current.endPx = -1;
      settle();
    },
  };
}

/** Keys and a wheel that zoom move nothing, and of what is pressed the bar beside the messages does. */
function mayMove(event: Event, box: Element): boolean {
  if (event instanceof WheelEvent || event instanceof KeyboardEvent) return !event.ctrlKey && !event.metaKey;
  return event.type !== "pointerdown" || event.target === box;
}

/** The first thing of which somebody sees the beginning or more; of a long message a piece. */
function anchorIn(inner: Element, frame: DOMRect): Anchor | undefined {
  for (const element of inner.querySelectorAll("[data-message], [data-live], .pieces > *")) {
    const { top, bottom } = element.getBoundingClientRect();
    const isWithin = bottom > frame.top && top < frame.bottom;
    if (isWithin && element.querySelector(":scope .pieces") === null) return { element, topPx: top - frame.top };
  }
  return undefined;
}

/** Messages that somebody would miss: with the focus, what is selected, and what was unfolded. */
function inUse(inner: Element | null): readonly string[] {
  if (inner === null) return [];
  const selection = getSelection();
  const used = [
    document.activeElement,
    selection?.isCollapsed === false ? selection.anchorNode?.parentElement : undefined,
    selection?.isCollapsed === false ? selection.focusNode?.parentElement : undefined,
    ...inner.querySelectorAll("details[open]"),
  ];
  return used.flatMap((element) => {
    const message = inner.contains(element ?? null) ? element?.closest<HTMLElement>("[data-message]") : undefined;
    const id = message?.dataset["message"];
    return id === undefined ? [] : [id];
  });
}
