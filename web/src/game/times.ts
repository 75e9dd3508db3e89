// Times of the contract as numbers, and numbers as words. Knows no clock.

import type { Duration, Timestamp } from "@bufbuild/protobuf/wkt";

export function milliseconds(time: Timestamp | Duration): number {
  return Number(time.seconds) * 1000 + Math.floor(time.nanos / 1e6);
}

/** `0:07`, `12:30`, `5:03:00`: minutes at least, hours only when there are some. */
export function countdown(ms: number): string {
  const whole = Math.max(0, Math.ceil(ms / 1000));
  const [hours, minutes, seconds] = [
    Math.floor(whole / 3600),
    Math.floor(whole / 60) % 60,
    whole % 60,
  ];
  const two = (n: number) => String(n).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}
