// What of the board is in sight, and how more of it comes there: the board scrolls by itself, or the page
// does, with the hand perhaps lying over its lower part. Knows nothing of what is on the board.

interface Sight {
  readonly top: number;
  readonly bottom: number;
  readonly scrolls: Element;
}

/** Scrolls to the first of some elements, unless one of them is in sight. */
export function bringIntoSight(elements: readonly Element[]): void {
  const sight = inSight();
  if (!sight) return;
  const seen = elements.some((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= sight.top - TOLERANCE && bottom <= sight.bottom + TOLERANCE;
  });
  if (!seen) elements[0]?.scrollIntoView({ block: "center", behavior: gliding() });
}

/** Puts an element in the middle of a board that scrolls by itself; leaves the page where it is. */
export function centreOnBoard(element: Element | null): void {
  const view = document.querySelector(".board-view");
  if (!view || !element || view.scrollHeight <= view.clientHeight + 1) return;
  const [box, around] = [element.getBoundingClientRect(), view.getBoundingClientRect()];
  view.scrollBy(0, (box.top + box.bottom - around.top - around.bottom) / 2);
}

function gliding(): ScrollBehavior {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
}

/** Scrolls while something is held near the upper or lower edge of what is in sight. */
export function edgeScroller() {
  let speed = 0;
  let frame = 0;
  let held = 0;
  const step = () => {
    held += 1;
    if (held > PATIENCE) inSight()?.scrolls.scrollBy(0, speed);
    frame = speed ? requestAnimationFrame(step) : 0;
    if (!speed) held = 0;
  };
  return {
    follow(y: number) {
      const sight = inSight();
      speed = sight ? speedAt(y, sight) : 0;
      if (speed && !frame) frame = requestAnimationFrame(step);
    },
    stop() {
      cancelAnimationFrame(frame);
      speed = 0;
    },
  };
}

/** How near the edge, in pixels. */
const EDGE = 44;
/** For how many frames; what only passes the edge scrolls nothing. */
const PATIENCE = 18;
/** Pixels in a frame. */
const SPEED = 8;
const TOLERANCE = 4;

function speedAt(y: number, { top, bottom }: Sight): number {
  if (y < top + EDGE && y > top - EDGE) return -SPEED;
  return y > bottom - EDGE && y < bottom ? SPEED : 0;
}

function inSight(): Sight | null {
  const view = document.querySelector(".board-view");
  if (!view) return null;
  const box = view.getBoundingClientRect();
  const hand = document.querySelector(".hand")?.getBoundingClientRect().top ?? innerHeight;
  const byItself = view.scrollHeight > view.clientHeight + 1;
  return {
    top: Math.max(0, box.top),
    bottom: Math.min(box.bottom, hand, innerHeight),
    scrolls: byItself || !document.scrollingElement ? view : document.scrollingElement,
  };
}
