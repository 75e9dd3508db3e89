// Measures an element, and measures it again when it changes. Knows nothing of what is in it.

import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Returns a reference for the element and the inner size of it; `assumed` until it is known. */
export function useSize<E extends Element>(assumed: Size): readonly [RefObject<E | null>, Size] {
  const element = useRef<E>(null);
  const [size, setSize] = useState(assumed);
  useLayoutEffect(() => {
    const measured = element.current;
    if (!measured) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = measured;
      // An element that is not laid out, as in a test, measures nothing.
      if (width === 0 || height === 0) return;
      setSize((last) =>
        last.width === width && last.height === height ? last : { width, height },
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, []);
  return [element, size];
}
