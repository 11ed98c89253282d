import type { Message } from "@incipit/schema";
import type { RefObject } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { indexAt, MessageHeights, runsOf, type Run } from "./message-heights.ts";

/** Scrolling down this near to the end starts following. */
const nearPx = 80;
/** Distance beyond the visible area that is drawn in advance, for fast scrolling. */
const aheadPx = 1_000;
const drawnAtFirst = 20;
/** Distance from the end at which more messages are loaded, in screen heights. */
const askedAhead = 2;

/** Includes inertia. */
const movesOnMs = 1_000;
const readerEvents = ["wheel", "touchmove", "keydown", "pointerdown"];
const unfolding = "summary, .pieces button, .long-text ~ button";

interface Span {
  readonly startId: string | undefined;
  readonly endId: string | undefined;
}

interface MessageWindow {
  readonly box: RefObject<HTMLDivElement | null>;
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
 * At its end the list follows new messages; otherwise the visible content stays in place. Focused, selected and
 * unfolded messages stay drawn.
 */
export function useMessageWindow(
  messages: readonly Message[],
  options: {
    /** Always drawn. */
    readonly kept: readonly string[];
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
  const readerMs = useRef(Number.NEGATIVE_INFINITY);
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

  /** The end came nearer, for example after zooming, so the browser itself scrolled. */
  const isByBrowser = ({ scrollHeight, clientHeight }: HTMLElement): boolean =>
    scrollHeight - clientHeight !== follow.current.endPx && performance.now() - readerMs.current > movesOnMs;

  /** Scrolling back stops following, even if the end moves closer. */
  const noteFollowing = (element: HTMLElement): void => {
    const { scrollTop, scrollHeight, clientHeight } = element;
    const leftPx = scrollHeight - scrollTop - clientHeight;
    const movedPx = scrollTop - follow.current.topPx;
    if (leftPx < 1 || (leftPx < nearPx && movedPx > 0)) setFollowing(true);
    else if (movedPx <= -1 && !isByBrowser(element)) setFollowing(false);
    follow.current.topPx = scrollTop;
  };

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

  const settle = useCallback((): void => {
    const [element, inner] = [box.current, list.current];
    if (element === null || inner === null) return;
    for (const drawn of inner.querySelectorAll<HTMLElement>("[data-message]")) {
      gapPx.current ??= Number.parseFloat(getComputedStyle(drawn).marginBlockEnd);
      heights.note(drawn.dataset["message"] ?? "", drawn.getBoundingClientRect().height + gapPx.current);
    }
    // A focused element may have scrolled into view before its event.
    const isMoved = Math.abs(element.scrollTop - follow.current.topPx) >= 1;
    if (isMoved) noteFollowing(element);
    const endPx = element.scrollHeight - element.clientHeight;
    // The user may be about to click.
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
    // Unfolding stops following, so that the content stays in place.
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

/** Not zooming by key or wheel, nor presses outside the scroll bar. */
function mayMove(event: Event, box: Element): boolean {
  if (event instanceof WheelEvent || event instanceof KeyboardEvent) return !event.ctrlKey && !event.metaKey;
  return event.type !== "pointerdown" || event.target === box;
}

/** A piece, if the message is long. */
function anchorIn(inner: Element, frame: DOMRect): Anchor | undefined {
  for (const element of inner.querySelectorAll("[data-message], [data-live], .pieces > *")) {
    const { top, bottom } = element.getBoundingClientRect();
    const isWithin = bottom > frame.top && top < frame.bottom;
    if (isWithin && element.querySelector(":scope .pieces") === null) return { element, topPx: top - frame.top };
  }
  return undefined;
}

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
